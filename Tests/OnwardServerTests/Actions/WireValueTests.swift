// SPDX-License-Identifier: MIT
#if Server

import Testing

@testable import OnwardServer

@Suite struct `Reading bodies` {
    @Test func `JSON keeps whole numbers exactly`() throws {
        let json =
            #"{"a":-9223372036854775808,"b":18446744073709551615,"c":0.5,"d":[true,null,"x"]}"#
        #expect(
            try WireValue(json: Array(json.utf8))
                == .object([
                    "a": .integer(.min), "b": .unsigned(.max), "c": .number(0.5),
                    "d": .list([.bool(true), .null, .text("x")]),
                ]))
    }

    @Test func `brackets and commas inside of strings count for nothing`() throws {
        let text = String(repeating: "[{,", count: 5_000)
        #expect(try WireValue(json: Array("\"\(text)\"".utf8)) == .text(text))
        let escaped = #""\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[""#
        #expect(throws: Never.self) { try WireValue(json: Array(escaped.utf8)) }
    }

    @Test(arguments: [
        ("a=1&b=2", ["a": "1", "b": "2"]), ("a=x+y%2Bz%C3%A9", ["a": "x y+zé"]),
        ("a&b=", ["a": "", "b": ""]), ("a=b=c", ["a": "b=c"]), ("&&a=1&", ["a": "1"]),
        ("a=%", ["a": "%"]), ("a=%4", ["a": "%4"]), ("a=%zz%41", ["a": "%zzA"]), ("", [:]),
    ])
    func `a form's fields are read as browsers write them`(form: String, fields: [String: String])
        throws
    {
        #expect(
            try WireValue(form: Array(form.utf8))
                == .object(fields.mapValues { WireValue.text($0) }))
    }
}
#endif
