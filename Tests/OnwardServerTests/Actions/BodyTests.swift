// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import OnwardJournal
import Testing

@testable import OnwardServer

@Suite struct `Reading bodies` {
    @Test func `JSON keeps whole numbers exactly`() throws {
        let json =
            #"{"a":-9223372036854775808,"b":18446744073709551615,"c":0.5,"d":[true,null,"x"]}"#
        #expect(
            try DataValue(json: Array(json.utf8))
                == .object([
                    "a": .integer(.min), "b": .unsigned(.max), "c": .number(0.5),
                    "d": .list([.bool(true), .null, .text("x")]),
                ]))
    }

    @Test func `brackets and commas inside of strings count for nothing`() throws {
        let text = String(repeating: "[{,", count: 5_000)
        #expect(try DataValue(json: Array("\"\(text)\"".utf8)) == .text(text))
        let escaped = #""\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[""#
        #expect(throws: Never.self) { try DataValue(json: Array(escaped.utf8)) }
    }

    @Test func `escapes, pairs of surrogates, spaces and numbers are read`() throws {
        let json = #"""
             { "a" : "\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00é\u0000" , "b" : [ -0 , 1.50e+1 , -2E-1 , 0 ] ,
            "a" : {} , "\u0062\u0062" : [ ] , "c" : [ false ] }
            """#
        #expect(
            try DataValue(json: Array(json.utf8))
                == .object([
                    "a": .object([:]), "bb": .list([]), "c": .list([.bool(false)]),
                    "b": .list([.integer(0), .number(15), .number(-0.2), .integer(0)]),
                ]))
        let text = #""\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00é\u0000""#
        #expect(
            try DataValue(json: Array(text.utf8))
                == .text("\"\\/\u{8}\u{C}\n\r\té😀é\u{0}"))
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1,]", "[,1]", "[1 2]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
        "{a:1}",
        #"{"a":1"b":2}"#, "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "1e999", "NaN",
        "-Infinity",
        "tru", "nulll", "True", "'a'", "\"a", #""\x""#, #""\u12""#, #""\u00e""#, #""\ud800""#,
        #""\ud800\n""#, #""\ud800\ud800""#, #""\udc00""#, #""\u+123""#, "\"a\nb\"", "\"\u{0}\"",
        "\u{FEFF}1",
        "1 1", "[]]", "\u{A0}1", "/**/1", #""\"#,
    ])
    func `what isn't JSON is refused`(json: String) {
        #expect(throws: Rejection(.badRequest, "The body isn't JSON.")) {
            try DataValue(json: Array(json.utf8))
        }
    }

    @Test(arguments: ["[]", "{}", "1", "\"\"", "[[[[]]]]"])
    func `no body has very many values, however they are packed`(value: String) throws {
        let many = Rejection(.badRequest, "The body has more than 4096 elements.")
        let bytes = Array("[\(repeatElement(value, count: 4_097).joined(separator: ","))]".utf8)
        #expect(throws: many) { try DataValue(json: bytes) }
        let few = Array("[\(repeatElement(value, count: 800).joined(separator: ","))]".utf8)
        #expect(throws: Never.self) { try DataValue(json: few) }
    }

    @Test func `no body is nested very deeply`() {
        func nested(_ depth: Int) -> [UInt8] {
            Array(repeating: UInt8(ascii: "["), count: depth)
                + Array(repeating: UInt8(ascii: "]"), count: depth)
        }
        #expect(throws: Never.self) { try DataValue(json: nested(32)) }
        #expect(throws: Rejection(.badRequest, "The body is nested deeper than 32 levels.")) {
            try DataValue(json: nested(33))
        }
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
            try DataValue(form: Array(form.utf8))
                == .object(fields.mapValues { DataValue.text($0) }))
    }
}
#endif
