// SPDX-License-Identifier: MIT
#if Server

import Foundation
import HTTPTypes
import HummingbirdTesting
import Mustache
import Onward
import OnwardJournal
import Testing

@testable import OnwardServer

@Suite struct `Fields that a visitor leaves blank or fills in wrongly` {
    enum Suit: String, Codable { case hearts, spades }

    enum Sheet: Action, Codable, Equatable {
        static let actionName = "Sheet"

        case optionals(
            double: Double?, int: Int?, small: UInt8?, bool: Bool?, text: String?, date: Date?,
            suit: Suit?, list: [Int]?)
        case required(
            unitPrice: Double, count: Int, small: UInt8, sure: Bool, text: String, date: Date,
            suit: Suit)
        case boxes(urgent: Bool, tags: [String])
    }

    private static let blank = ["double", "int", "small", "bool", "text", "date", "suit", "list"]

    @Test(arguments: ["", " ", "\t "])
    func `a blank field is nil for every optional`(blank: String) throws {
        let none = Sheet.optionals(
            double: nil, int: nil, small: nil, bool: nil, text: nil, date: nil, suit: nil, list: nil
        )
        let fields = Dictionary(
            uniqueKeysWithValues: Self.blank.map { ($0, DataValue.text(blank)) })
        #expect(try sheet("optionals", fields) == none)
        #expect(try sheet("optionals", [:]) == none)
    }

    @Test func `a field that is filled in has its value`() throws {
        let fields: [String: DataValue] = [
            "double": .text("1.5"), "int": .text("-3"), "small": .text("255"), "bool": .text("on"),
            "text": .text(" x "), "date": .text("2026-11-29"), "suit": .text("hearts"),
            "list": .list([.text("1"), .text("2")]),
        ]
        #expect(
            try sheet("optionals", fields)
                == .optionals(
                    double: 1.5, int: -3, small: 255, bool: true, text: " x ",
                    date: Date(timeIntervalSince1970: 1_795_910_400), suit: .hearts, list: [1, 2]))
    }

    @Test(arguments: [
        ("2026-11-29T01:30", 1_795_915_800.0), ("2026-11-29T01:30:10", 1_795_915_810),
        ("2026-11-29T01:30:10Z", 1_795_915_810), ("2026-11-29T01:30:10+01:00", 1_795_912_210),
    ])
    func `a date may have a time`(text: String, seconds: Double) throws {
        let read = try sheet("optionals", ["date": .text(text)])
        guard case .optionals(_, _, _, _, _, let date, _, _) = read else { return }
        #expect(date?.timeIntervalSince1970 == seconds)
    }

    @Test func `a box that isn't checked is false, and of several none is`() throws {
        #expect(try sheet("boxes", [:]) == .boxes(urgent: false, tags: []))
        #expect(
            try sheet("boxes", ["urgent": .text("on"), "tags": .text("a")])
                == .boxes(urgent: true, tags: ["a"]))
    }

    @Test(arguments: [
        ("unitPrice", "12,5", "Please enter a number."),
        ("unitPrice", "", "Please fill in this field."),
        ("count", "1.5", "Please enter a whole number."),
        ("small", "300", "Please enter a whole number from 0 to 255."),
        ("sure", "perhaps", "Please choose yes or no."),
        ("date", "tomorrow", "Please enter a date."),
        ("suit", "stars", "Please choose one of the values offered."),
        ("text", nil, "Please fill in this field."),
    ])
    func `a mistake is said in a sentence for visitors, with its field`(
        field: String, value: String?, sentence: String
    ) async throws {
        let (server, lines) = try Self.server()
        try await server.application().test(.router) { client in
            var fields = Self.good
            fields[field] = value
            let answer = try await client.post(json: Self.json(fields))
            #expect(answer.status == .badRequest)
            let said = try JSONDecoder().decode(Said.self, from: Data(answer.text.utf8))
            #expect(said.field == field && said.hint == sentence)
            #expect(said.message.hasSuffix(": \(sentence)") && !said.message.contains("Sheet"))
            let form = fields.map { "\($0)=\($1)" }.joined(separator: "&")
            let page = try await client.post(
                form: "type=Sheet/required&request=request-2&\(form)")
            #expect(page.text.contains(sentence) && !page.text.contains("can&#39;t be read"))
        }
        #expect(lines.all.contains { $0.contains("\"Sheet/required\" can't be read: the field") })
    }

    @Test func `a field's name is put into words where it can't be beside the field`() async throws
    {
        let (server, _) = try Self.server()
        try await server.application().test(.router) { client in
            let page = try await client.post(
                form: "type=Sheet/required&request=request-2&unitPrice=x")
            #expect(page.text.contains("Unit price: Please enter a number."))
        }
    }

    @Test func `an app words it`() async throws {
        let (server, _) = try Self.server { mistake in
            #expect(mistake.action == "Sheet/required")
            return mistake.kind == .notANumber ? "Bitte eine Zahl (\(mistake.field))." : nil
        }
        try await server.application().test(.router) { client in
            for (value, sentence) in [
                ("x", "Bitte eine Zahl (unitPrice)."), ("", "Please fill in"),
            ] {
                var fields = Self.good
                fields["unitPrice"] = value
                let answer = try await client.post(json: Self.json(fields))
                #expect(answer.text.contains("\"hint\":\"\(sentence)"))
            }
        }
    }

    @Test(arguments: ["Sheet/nothing", "Other/x", "Sheet"])
    func `what no visitor can mend names no types to them`(type: String) async throws {
        let (server, lines) = try Self.server()
        try await server.application().test(.router) { client in
            let answer = try await client.post(json: #"{"type":"\#(type)","request":"request-1"}"#)
            #expect(answer.status == .badRequest)
            #expect(answer.text.contains("This page can't do that."))
            #expect(!answer.text.contains("field\""))
        }
        #expect(lines.all.contains { $0.contains(type) })
    }

    @Test func `a rule of the app may be said beside a field`() async throws {
        let (server, _) = try Self.server()
        try await server.application().test(.router) { client in
            var fields = Self.good
            fields["text"] = "bad"
            let answer = try await client.post(json: Self.json(fields))
            #expect(answer.status == .conflict)
            #expect(answer.text.contains(#""field":"text","hint":"Not this word.""#))
        }
    }

    private struct Said: Decodable { let message: String, field: String?, hint: String? }
    private struct Form: Sendable {}
    private static let good = [
        "unitPrice": "1.5", "count": "2", "small": "3", "text": "x", "date": "2026-11-29",
        "suit": "hearts",
    ]

    private static func json(_ fields: [String: String]) throws -> String {
        let all = fields.merging(["type": "Sheet/required", "request": "request-1"]) { $1 }
        return String(decoding: try JSONEncoder().encode(all), as: UTF8.self)
    }

    private static func server(
        word: @escaping @Sendable (FieldMistake) -> String? = { _ in nil }
    ) throws -> (PageServer<Form>, LogLines) {
        let store = Store(Form()) { Reduce { (_: inout Form, _: Sheet) in } }
        let page = try Page<Form>(
            title: "Sheet", templates: MustacheLibrary(), accepts: [Sheet.self]
        ) { _ in [] }
        .admitting(Sheet.self) { sheet, _, _ in
            guard case .required(_, _, _, _, "bad", _, _) = sheet else { return .dispatch(sheet) }
            return .refuse("Not this word.", field: "text")
        }
        .wordingMistakes(word)
        let server = TestServer()
        return (PageServer(page, hosting: .shared(store), options: server.options), server.lines)
    }

    private func sheet(_ name: String, _ payload: [String: DataValue]) throws -> Sheet {
        try ActionDecoder.decode(Sheet.self, caseName: name, payload: payload)
    }
}
#endif
