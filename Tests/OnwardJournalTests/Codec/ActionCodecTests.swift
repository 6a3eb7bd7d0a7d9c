// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import Testing

struct ActionCodecTests {
    private struct Secret: Action {}

    private let store = makeShop()
    private var codec: ActionCodec { ActionCodec(for: store.log.actions) }

    private func entry(_ action: any Action, _ version: CommitVersion = 1) -> LogEntry {
        LogEntry(
            version: version, action: action, address: Address("left") ?? .root, parent: 3,
            origin: ActionOrigin(file: "App/Main.swift", line: 7),
            time: Timestamp(nanosecondsSince1970: 12))
    }

    static let actions: [(any Action & Codable, String)] = [
        (add("pear", 3), "BasketAction/add"), (BasketAction.discount(10), "BasketAction/discount"),
        (BasketAction.clear, "BasketAction/clear"), (Note(text: "hi"), "Note"),
        (Mood.bad, "Mood/bad"),
    ]

    @Test(arguments: DataFormat.allCases, actions.indices)
    func `an entry comes back as it was`(format: DataFormat, index: Int) throws {
        let (action, name) = Self.actions[index]
        let codec = ActionCodec(for: store.log.actions, format: format)
        let written = try codec.encode(entry(action))
        #expect(written.name == name)
        let back = try #require(try codec.decode(written).first)
        #expect("\(back.action)" == "\(action)")
        #expect(back.address.description == "left")
        #expect(back.parent == 3)
        #expect(back.origin.description == "App/Main.swift:7")
        #expect(back.time?.nanosecondsSince1970 == 12)
    }

    @Test(arguments: DataFormat.allCases)
    func `an action with megabytes of data is written, beyond the limits it says why not`(
        format: DataFormat
    ) throws {
        enum PhotoAction: Action, Codable { case taken(Data), numbers([Int]) }
        let store = Store(0) { Reduce { (_: inout Int, _: PhotoAction) in } }
        var codec = ActionCodec(for: store.log.actions, format: format)
        let photo = Data(repeating: 200, count: 3_000_000)
        let written = try codec.encode(entry(PhotoAction.taken(photo)))
        guard case .taken(let read)? = try codec.decode(written).first?.action as? PhotoAction
        else {
            Issue.record("\(written.name)")
            return
        }
        #expect(read == photo)
        let numbers = PhotoAction.numbers(Array(repeating: 1, count: 1_000_001))
        #expect {
            try codec.encode(entry(numbers))
        } throws: { error in
            (error as? JournalError)?.description == """
                ActionCodecTests.PhotoAction/numbers cannot be written into a journal, as it could not be read again: \
                There are more than 1000000 values. To write it, raise the limits of the ActionCodec.
                """
        }
        codec.limits.elements = 2_000_000
        #expect(try codec.decode(codec.encode(entry(numbers))).count == 1)
    }

    private enum ChartAction: Action, Codable, Equatable {
        case range(Int, Int, value1: Int)
        case apart(Int, value2: Int, Int)
        case optional(Int?, value: Int?)
        case second(first: Int, Int)
        indirect case nested(Int, value: ChartAction)
    }

    @Test(arguments: DataFormat.allCases)
    func `nothing is lost of two fields that would have one name`(format: DataFormat) throws {
        let mistakes = Guarded<[ProgrammerError]>([])
        var options = StoreOptions()
        options.onProgrammerError = { mistake in mistakes.withValue { $0.append(mistake) } }
        let store = Store(0, options: options) { Reduce { (_: inout Int, _: ChartAction) in } }
        let codec = JournalCodec(for: store, format: format).actions
        #expect(mistakes.withValue { $0.map(\.kind) } == Array(repeating: .fieldClash, count: 4))
        for action in [
            ChartAction.range(1, 2, value1: 3), .apart(1, value2: 2, 3), .second(first: 1, 2),
            .optional(1, value: nil), .optional(nil, value: 2),
            .nested(1, value: .apart(2, value2: 3, 4)),
        ] {
            let read = try codec.decode(codec.encode(entry(action)))
            #expect(read.map { $0.action as? ChartAction } == [action])
        }
        let names = try codec.record(of: ChartAction.second(first: 1, 2)).payload
        #expect(names == ["first": 1, "value1": 2])
    }

    @Test func `an action whose name means another type is not written`() {
        struct First: Action, Codable { static var actionName: String { "Same" } }
        struct Second: Action, Codable { static var actionName: String { "Same" } }
        var options = StoreOptions()
        options.onProgrammerError = { _ in }
        let store = Store(0, options: options) {
            Reduce { (_: inout Int, _: First) in }
            Reduce { (_: inout Int, _: Second) in }
        }
        let codec = ActionCodec(for: store.log.actions)
        #expect(throws: Never.self) { try codec.encode(entry(First())) }
        #expect {
            try codec.encode(entry(Second()))
        } throws: { error in
            let text = (error as? JournalError)?.description ?? ""
            return text.contains("Second cannot be written into a journal, as the store knows ")
                && text.hasSuffix(
                    """
                    First by its name, "Same", and would read it as that. To fix this, give one of them \
                    another `static var actionName`.
                    """)
        }
    }

    @Test func `payloads are readable on export`() throws {
        let codec = ActionCodec(for: store.log.actions, format: .json)
        let text = String(decoding: try codec.encode(entry(add("pear", 3))).payload, as: UTF8.self)
        #expect(text == #"{"name":"pear","price":3}"#)
        let plain = try codec.encode(entry(BasketAction.discount(5)))
        #expect(String(decoding: plain.payload, as: UTF8.self) == #"{"value":5}"#)
    }

    @Test func `an action that is not Encodable says how to mend it`() {
        #expect {
            try codec.encode(entry(Secret()))
        } throws: { "\($0)".contains("extension ActionCodecTests.Secret: Codable {}") }
    }

    @Test func `a redacted value that no placeholder can stand for is refused, in states too`()
        throws
    {
        struct Login: Codable, Sendable { var pin = Redacted(7), name = Redacted("ann") }
        enum LoginAction: Action, Codable { case enter(Login), name(Redacted<String>) }
        let store = Store(0) { Reduce { (_: inout Int, _: LoginAction) in } }
        let codec = ActionCodec(for: store.log.actions)
        #expect {
            try codec.encode(entry(LoginAction.enter(Login())))
        } throws: { error in
            (error as? JournalError)?.description.hasSuffix(
                """
                LoginAction/enter cannot be written into a journal: enter.value.pin: Redacted<Int> is written as a \
                placeholder, from which it can't be read. Redact a String, or leave the value out of what is recorded.
                """) == true
        }
        #expect {
            try StateCodec<Login>().encode(
                Login(), at: 1, by: FeatureFingerprint(rawValue: 1))
        } throws: { "\($0)".contains(": pin: Redacted<Int>") }
        // Shown, it is the placeholder.
        #expect(
            try codec.record(of: LoginAction.enter(Login())).payload["value"]?.fields?.count == 2)
        #expect(try codec.decode(codec.encode(entry(LoginAction.name(Redacted("x"))))).count == 1)
    }

    @Test func `an unknown name says which entry, why and what to do`() {
        let unknown = JournalEntry(version: 4, name: "Cart/add", payload: [0xA0])
        #expect {
            try codec.decode(unknown)
        } throws: { error in
            let error = error as? JournalError
            return error?.code == .unreadable && error?.version == 4
                && error?.description == """
                    Entry 4, "Cart/add", cannot be decoded: no feature handles actions of that name. \
                    Add the feature, or a migration that renames or drops "Cart".
                    """
        }
    }

    @Test func `missing fields, strange bytes and newer versions are distinguished`() throws {
        func reason(_ entry: JournalEntry) -> String {
            do {
                _ = try codec.decode(entry)
                return "decoded"
            } catch {
                return error.description
            }
        }
        let pear: [UInt8] = DataFormat.cbor.bytes(of: ["name": "pear"])
        #expect(
            reason(JournalEntry(version: 1, name: "BasketAction/add", payload: pear))
                .contains("price"))
        #expect(
            reason(JournalEntry(version: 1, name: "BasketAction/add", payload: [0xFF]))
                .contains("its payload is no CBOR"))
        #expect(
            reason(JournalEntry(version: 1, name: "Note", schema: 9, payload: [0xA0]))
                .contains("schema version 9, the type has 1. Read it with the newer program"))
    }

    @Test
    func `what cannot be decoded is reported, kept readable and left out where that is wanted`()
        throws
    {
        let entries = [
            try codec.encode(entry(add("a"), 1)),
            JournalEntry(version: 2, name: "Gone", payload: DataFormat.cbor.bytes(of: ["x": 1])),
            try codec.encode(entry(BasketAction.clear, 3)),
        ]
        #expect(throws: JournalError.self) { try codec.decode(entries) }
        let reports = Guarded<[String]>([])
        let decoded = try codec.decode(
            entries,
            whenUnreadable: .quarantine { entry in reports.withValue { $0.append(entry.payload) } })
        #expect(decoded.map(\.version) == [1, 3])
        #expect(reports.withValue { $0 } == [#"{"x":1}"#])
    }
}
