// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Synchronization
import Testing

struct ReplayTests {
    private struct Board: Codable, Sendable, Equatable {
        var count = 0
        var rows = [Row(), Row()]
        struct Row: Codable, Sendable, Equatable { var mark = 0 }
    }

    private struct Mark: Action {}
    private struct Plain: Action {}

    private func store(
        _ mark: @escaping @Sendable (inout Board) -> Void
    ) -> Store<Board> {
        Store(Board()) {
            Reduce { (board: inout Board, _: Mark) in mark(&board) }
            Reduce { (board: inout Board, _: Plain) in board.count += 1 }
        }
    }

    private let entries = [
        LogEntry(version: 1, action: Plain()), LogEntry(version: 2, action: Plain()),
        LogEntry(version: 3, action: Mark()), LogEntry(version: 4, action: Plain()),
    ]

    @Test func `says nothing of pure reducers`() throws {
        let store = store { $0.rows[1].mark = $0.count * 2 }
        #expect(try Replay.verify(entries, from: Board(), by: store)?.path == nil)
    }

    @Test func `a number that is not equal to itself is no difference`() throws {
        struct Gauge: Codable, Sendable { var values = [Double.nan, 1] }
        let store = Store(Gauge()) {
            Reduce { (gauge: inout Gauge, _: Plain) in gauge.values[1] += 1 }
        }
        let entries = [
            LogEntry(version: 1, action: Plain()), LogEntry(version: 2, action: Plain()),
        ]
        #expect(try Replay.verify(entries, from: Gauge(), by: store)?.path == nil)
    }

    @Test func `finds a random number, and names the entry and the place`() throws {
        let store = store { $0.rows[1].mark = Int.random(in: 0...Int.max) }
        let found = try #require(try Replay.verify(entries, from: Board(), by: store))
        #expect(found.kind == .betweenRuns)
        #expect(found.entry.version == 3)
        #expect(found.path == "rows.1.mark")
        #expect(
            "\(found)".hasPrefix(
                "After entry 3, ReplayTests.Mark, two replays differ in rows.1.mark:"))
        #expect("\(found)".contains("Put such values into the action."))
    }

    @Test func `finds the time`() throws {
        let store = store {
            $0.count = Int(truncatingIfNeeded: Timestamp.now().nanosecondsSince1970)
        }
        #expect(try Replay.verify(entries, from: Board(), by: store)?.path == "count")
    }

    @Test func `finds a clock of milliseconds, every time`() throws {
        let store = store { $0.count = Int(Date().timeIntervalSince1970 * 1_000) }
        for _ in 0..<20 {
            let found = try #require(try Replay.verify(entries, from: Board(), by: store))
            #expect(found.path == "count")
            #expect(found.entry.version == 3)
        }
    }

    @Test func `finds an object that is changed in place, and leaves the caller's as it was`()
        throws
    {
        final class Box: Codable, @unchecked Sendable {  // Changed by one thread only.
            var count = 0
        }
        struct Shelf: Codable, Sendable { var box = Box() }
        let store = Store(Shelf()) {
            Reduce { (shelf: inout Shelf, _: Plain) in shelf.box.count += 1 }
        }
        let (shelf, entries) = (Shelf(), [LogEntry(version: 1, action: Plain())])
        for _ in 0..<20 {
            let found = try #require(try Replay.verify(entries, from: shelf, by: store))
            #expect(found.kind == .inPlace)
            #expect(
                "\(found)" == """
                    After entry 1, ReplayTests.Plain, the state before it has changed as well, in \
                    box.count: from 0 to 1. A reducer changed an object that both states refer to. Make \
                    the object's class a struct, or replace the object by a changed copy.
                    """)
        }
        #expect(shelf.box.count == 0)
        // An object that is replaced is as good as a value, also against what was recorded.
        let good = Store(Shelf()) {
            Reduce { (shelf: inout Shelf, _: Plain) in
                let box = Box()
                box.count = shelf.box.count + 1
                shelf.box = box
            }
        }
        let digest = StateDigest(of: ["box": ["count": 1]] as DataValue)
        #expect(
            try Replay.verify(entries, from: shelf, by: good, against: [1: digest])?.path == nil)
    }

    @Test func `finds a global counter`() throws {
        let counter = Counter()
        let store = store {
            counter.add(1)
            $0.rows[0].mark = counter.total
        }
        #expect(try Replay.verify(entries, from: Board(), by: store)?.path == "rows.0.mark")
    }

    @Test func `finds a reducer that has changed since the log was recorded`() throws {
        let old = store { $0.rows[0].mark = 1 }
        var digests: [CommitVersion: StateDigest] = [:]
        for count in 1...4 {
            let state = old.log.replay(entries.prefix(count), from: Board())
            digests[CommitVersion(count)] = try StateDigest(of: state)
        }
        let new = store { $0.rows[0].mark = 2 }
        let found = try #require(
            try Replay.verify(entries, from: Board(), by: new, against: digests))
        #expect(found.kind == .fromRecording)
        #expect(found.entry.version == 3)
        #expect(found.path == "rows.0.mark")
        #expect(found.values == ["2"])
        let same = try Replay.verify(entries, from: Board(), by: old, against: digests)
        #expect(same?.path == nil)
    }

    @Test(arguments: 2...5)
    func `finds a reducer that depends on the order of a dictionary or a set, every time`(
        count: Int
    ) throws {
        struct Stock: Codable, Sendable {
            var amounts: [String: Int]
            var names: Set<String>
            var sorted: [String] = []
            var first = ""
        }
        let names = (0..<count).map { "article \($0)" }
        let stock = Stock(
            amounts: Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }), names: Set(names))
        let entries = [LogEntry(version: 1, action: Plain()), LogEntry(version: 2, action: Mark())]
        func store(
            _ change: @escaping @Sendable (inout Stock) -> Void
        ) -> Store<Stock> {
            Store(stock) {
                Reduce { (stock: inout Stock, _: Mark) in change(&stock) }
                Reduce { (stock: inout Stock, _: Plain) in stock.sorted = stock.names.sorted() }
            }
        }
        let changes: [@Sendable (inout Stock) -> Void] = [
            { $0.first = $0.amounts.keys.first ?? "" }, { $0.first = $0.names.first ?? "" },
        ]
        for change in changes {
            for _ in 0..<20 {
                let found = try #require(
                    try Replay.verify(entries, from: stock, by: store(change)))
                #expect(found.kind == .betweenRuns)
                #expect(found.entry.version == 2)
                #expect(found.path == "first")
            }
        }
        let pure = store { $0.first = $0.names.min() ?? "" }
        #expect(try Replay.verify(entries, from: stock, by: pure)?.path == nil)
    }

    @Test func `finds a reducer that depends on the order of a set that it makes`() throws {
        struct Draw: Codable, Sendable { var cards: [String] = [] }
        let store = Store(Draw()) {
            // Two sets of the same elements may have them in different orders.
            Reduce { (draw: inout Draw, _: Mark) in
                draw.cards = Array(Set((0..<200).map(String.init).shuffled()))
            }
        }
        let entries = [LogEntry(version: 1, action: Mark())]
        let found = try #require(try Replay.verify(entries, from: Draw(), by: store))
        #expect(found.path.hasPrefix("cards."))
    }

    // MARK: Tests from logs

    @Test func `makes a test of a log, which is one of these tests`() throws {
        let store = makeShop()
        let left = Address("left") ?? .root
        let entries = [
            LogEntry(version: 3, action: add("pear \"\\#(x)\"## ü\n", 3), address: left),
            LogEntry(version: 4, action: BasketAction.discount(50)),
            LogEntry(version: 5, kind: .travel, action: Travel(replacing: 0)),
            LogEntry(version: 6, action: Mood.good), LogEntry(version: 7, action: Note(text: "hi")),
        ]
        let source = try Replay.testSource(
            of: entries, from: Shop(right: Basket(items: ["a"], total: 9)), by: store,
            named: "entries 3 to 7 lead to `what` was recorded", making: "makeShop()")
        // Its first line is that of this package: a source for another one has no licence of ours.
        let whole = "// SPDX-License-Identifier: MIT\n" + source
        let bytes = Array(whole.utf8)
        let file = try Fixture.contents("Replay/RecordedShopTests.swift", or: bytes)
        #expect(String(decoding: file, as: UTF8.self) == whole)
    }

    @Test func `control characters, which no source may contain, are spelled`() throws {
        let source = try Replay.testSource(
            of: [LogEntry(version: 1, action: Note(text: "\u{7F}\""))], from: Shop(),
            by: makeShop(),
            named: "one\nor\u{7F} two", making: "makeShop()")
        #expect(source.contains("@Test func `oneor two`() throws"))
        #expect(source.contains(###"\#u{7f}\""###))
        #expect(!source.unicodeScalars.contains { $0 == "\u{7F}" })
    }

    @Test func `an action that can't be written is left out, and the test goes on after it`() throws
    {
        let store = makeShop()
        let entries = [
            LogEntry(version: 1, action: add("pear", 3)),
            LogEntry(version: 2, action: Undescribed()),
            LogEntry(version: 3, action: add("fig", 4)),
        ]
        let source = try Replay.testSource(
            of: entries, from: Shop(), by: store, named: "two parts", making: "makeShop()")
        #expect(source.contains("// Undescribed is left out: "))
        #expect(source.components(separatedBy: "RecordedLog(").count == 3)
        #expect(source.contains("try log.check(by: makeShop())"))
        #expect(source.contains("try log2.check(by: makeShop())"))
        #expect(source.contains("pear") && source.contains("fig"))
    }

    @Test func `what turns the direction of writing is spelled, so that source reads as it is`()
        throws
    {
        let source = try Replay.testSource(
            of: [LogEntry(version: 1, action: Note(text: "\u{202E}a"))], from: Shop(),
            by: makeShop(),
            named: "one", making: "makeShop()")
        #expect(source.contains("u{202e}a"))
        #expect(!source.unicodeScalars.contains("\u{202E}"))
    }

    @Test func `imports the app where it is another module`() throws {
        let source = try Replay.testSource(
            of: [], from: Shop(), by: makeShop(), named: "", importing: ["ShopCore", "ShopPage"],
            making: "makeShop()")
        #expect(
            source.contains(
                "import Testing\n@testable import ShopCore\n@testable import ShopPage\n"))
        #expect(source.contains("@Test func `replays a log`() throws"))
    }

    @Test func `a recorded log names the step, the place and both values where it differs`() throws
    {
        let log = RecordedLog(
            from: #"{"left":{"items":[],"total":0},"right":{"items":[],"total":0}}"#,
            [
                .init(
                    "BasketAction/add", #"{"name":"a","price":3}"#, at: "left"),
                .init(
                    "BasketAction/discount", #"{"value":0}"#, at: "left",
                    gives: #"{"left":{"items":["a"],"total":4},"right":{"items":[],"total":0}}"#),
            ])
        #expect {
            try log.check(by: makeShop())
        } throws: { error in
            "\(error)" == """
                Step 2, BasketAction/discount: the state differs from the recorded one in left.total: \
                recorded is 4, but it is 3.
                """
        }
        #expect {
            try RecordedLog(from: #"{"left":7}"#, []).check(by: makeShop())
        } throws: { ($0 as? RecordedLog.Mismatch)?.step == 0 }
        let state = String(
            decoding: DataFormat.json.bytes(of: try DataValue(encoding: Shop())), as: UTF8.self)
        #expect {
            try RecordedLog(from: state, [.init("Gone/away")]).check(by: makeShop())
        } throws: { "\($0)".contains("no feature handles actions of that name") }
    }
}

/// An action that can't be encoded, and that no feature handles.
private struct Undescribed: Action {}
