// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

@Suite struct `Edits in a journal` {
    struct SignUp: Codable, Equatable, Editable {
        var name = "", age: Int?, birthday: Date?, photo = Data()
        static let fields = Fields<SignUp>(\.name, \.age, \.birthday, \.photo)
        static let editName = "SignUp.Edit"
    }

    private let store = Store(SignUp()) { Edits() }

    private static let edits: [Edit<SignUp>] = [
        Edit(\.name, "Ann"), Edit(\.age, 30), Edit(\.age, nil),
        Edit(\.birthday, Date(timeIntervalSince1970: 12.5)), Edit(\.photo, Data([1, 2, 255])),
    ]

    @Test(arguments: DataFormat.allCases, edits.indices)
    func `an edit comes back as it was, by the name of its form`(format: DataFormat, index: Int)
        throws
    {
        let codec = ActionCodec(for: store.log.actions, format: format)
        let edit = Self.edits[index]
        let entry = LogEntry(
            version: 1, action: edit, origin: ActionOrigin(file: "A.swift", line: 7))
        let written = try codec.encode(entry)
        #expect(written.name == "SignUp.Edit")
        #expect(try codec.decode(written).map { $0.action as? Edit<SignUp> } == [edit])
    }

    @Test func `the record of an edit shows the field and the value`() throws {
        let codec = ActionCodec(for: store.log.actions)
        let record = try codec.record(of: Edit<SignUp>(\.name, "Ann"))
        #expect(record.name == "SignUp.Edit")
        #expect(record.payload == ["field": "name", "value": "Ann"])
    }

    @Test(
        arguments: [
            ["field": "secret", "value": "Ann"], ["field": "name", "value": 7], ["value": "Ann"],
            [:],
        ] as [DataValue])
    func `an entry that edits what isn't declared is refused, with its name`(payload: DataValue) {
        let codec = ActionCodec(for: store.log.actions)
        #expect {
            try codec.action(of: ActionRecord(type: "SignUp.Edit", payload: payload))
        } throws: { error in "\(error)".contains("SignUp.Edit") }
    }

    @Test func `Redux DevTools show the field and the value, and a file of theirs is read again`()
        throws
    {
        let codec = ActionCodec(for: store.log.actions)
        let history = History(of: store)
        store.edit(\.name, "Ann")
        store.edit(\.age, 30)
        let bytes = try history.log.devToolsFile(codec)
        let shown = try DataFormat.json.value(of: bytes)["actionsById"]?["1"]?["action"]
        #expect(shown?["type"] == "SignUp.Edit")
        #expect(shown?["field"] == "name" && shown?["value"] == "Ann")
        let other = Store(SignUp()) { Edits() }
        var copy = History(of: other).log
        try copy.load(DevToolsFile(bytes), ActionCodec(for: other.log.actions))
        #expect(copy.shownState() == SignUp(name: "Ann", age: 30))
    }
}
