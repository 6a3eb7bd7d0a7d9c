// SPDX-License-Identifier: MIT
#if Server

import Foundation
import Onward
import OnwardJournal
import Testing

@testable import OnwardServer

@Suite struct `Edits that pages post` {
    struct SignUp: Equatable, Editable {
        var name = "", age: Int?, wantsNews = false, birthday: Date?, tags: [String] = []
        static let fields = Fields<SignUp>(\.name, \.age, \.wantsNews, \.birthday, \.tags)
        static let editName = "SignUp.Edit"
    }

    private func edit(_ form: String) throws -> Edit<SignUp> {
        guard case .object(let payload) = try DataValue(form: Array(form.utf8)) else {
            throw CancellationError()
        }
        return try ActionDecoder.decode(Edit<SignUp>.self, caseName: nil, payload: payload)
    }

    @Test func `texts of a form are converted to the type of the field that they are for`() throws {
        #expect(try edit("field=name&value=Ann+%26+Bob") == Edit(\.name, "Ann & Bob"))
        #expect(try edit("field=name&value=7") == Edit(\.name, "7"))
        #expect(try edit("field=age&value=7") == Edit(\.age, 7))
        #expect(try edit("field=age&value=") == Edit(\.age, nil))
        #expect(try edit("field=wantsNews&value=on") == Edit(\.wantsNews, true))
        #expect(try edit("field=tags&value=a&value=b") == Edit(\.tags, ["a", "b"]))
        #expect(
            try edit("field=birthday&value=1970-01-02")
                == Edit(\.birthday, Date(timeIntervalSince1970: 86_400)))
    }

    @Test func `a box that isn't checked is false, and no chosen value an empty list`() throws {
        #expect(try edit("field=wantsNews") == Edit(\.wantsNews, false))
        #expect(try edit("field=tags") == Edit(\.tags, []))
    }

    @Test(arguments: [
        "field=secret&value=1", "value=Ann", "field=name", "field=age&value=old",
        "field=wantsNews&value=perhaps", "field=name&field=age&value=1",
        "field=name&value=a&value=b",
    ])
    func `what is no edit of a declared field is refused`(form: String) {
        #expect(throws: DecodingError.self) { try edit(form) }
    }

    @Test func `a mistake is one of the field that was filled in`() throws {
        #expect {
            try edit("field=age&value=old")
        } throws: { error in
            FieldMistake(error, in: "SignUp.Edit")?.field == "value"
        }
    }
}
#endif
