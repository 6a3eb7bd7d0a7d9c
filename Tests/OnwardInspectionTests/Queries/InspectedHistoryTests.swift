// SPDX-License-Identifier: MIT

import InspectedShop
import Onward
import OnwardJournal
import Testing

@testable import OnwardInspection

struct InspectedHistoryTests {
    private let store = makeShop()

    /// Ids 1 and 2 add, 3 clears, 4 clears what is empty, 5 visits.
    private func recorded() -> (history: History<Shop>, log: InspectedHistory<Shop>) {
        let history = History(of: store)
        store.dispatch(CartAction.add(id: 1, name: "Pear", price: 3))
        store.dispatch(CartAction.add(id: 2, name: "Fig", price: 4))
        store.dispatch(CartAction.clear)
        store.dispatch(CartAction.clear)
        store.dispatch(Visit())
        return (history, history.inspected(store))
    }

    private func ids(_ change: (inout EntryQuery) -> Void) -> [Int] {
        var query = EntryQuery()
        change(&query)
        return recorded().log.entries(query).entries.map(\.id)
    }

    // MARK: Entries

    @Test func `a page says what was dispatched where, and what changed something`() {
        let page = recorded().log.entries(EntryQuery())
        #expect(page.entries.map(\.id) == [1, 2, 3, 4, 5])
        let first = page.entries[0]
        #expect(first.name == "CartAction/add")
        #expect(first.preview == #"{id: 1, name: "Pear", price: 3}"#)
        #expect(first.file == "OnwardInspectionTests/InspectedHistoryTests.swift")
        #expect(first.line > 0)
        #expect(page.entries.map(\.isChange) == [true, true, true, false, true])
        #expect(page.entries.map(\.preview)[2] == "")
        #expect(page.earlier == nil && page.later == nil)
    }

    @Test func `entries are found by a text, a type, a change, and what they touched`() {
        #expect(ids { $0.text = "FIG" } == [2])
        #expect(ids { $0.text = "inspectedhistorytests" } == [1, 2, 3, 4, 5])
        #expect(ids { $0.types = ["CartAction/clear", "Visit"] } == [3, 4, 5])
        #expect(ids { $0.hidesUnchanged = true } == [1, 2, 3, 5])
        #expect(ids { $0.path = "cart.total" } == [1, 2, 3])
        #expect(ids { $0.path = "cart.items.1.name" } == [2, 3])
        #expect(ids { $0.path = "nowhere" } == [])
        #expect(ids { $0.hiddenTypes = ["CartAction/clear", "Visit"] } == [1, 2])
        #expect(ids { ($0.types, $0.hiddenTypes) = (["Visit"], ["Visit"]) } == [])
    }

    @Test func `a path that leads nowhere finds the parts whose paths contain it`() {
        #expect(ids { $0.path = "total" } == [1, 2, 3])
        #expect(ids { $0.path = "TOT" } == [1, 2, 3])
        let page = recorded().log.changes(of: "visit")
        #expect(page.entries.map { $0.change?.path } == ["visits"])
        // What is gone isn't another one whose name begins like it.
        let log = InspectedHistory(
            HistoryLog(from: ["rows": ["12": 0]]) { _, rows in ["rows": ["12": 1]] },
            ActionCodec(for: store.log.actions))
        #expect(log.changes(of: "rows.1").entries.isEmpty)
    }

    @Test func `an action that came from a page says which one`() throws {
        let history = History(of: store)
        let file = ActionOrigin.file(ofRequest: "3f-a", from: "/game?round=1")
        store.dispatch(CartAction.clear, file: file, line: 0)
        store.dispatch(
            CartAction.clear, file: ActionOrigin.file(ofRequest: "3f-b", from: ""), line: 0)
        let lines = history.inspected(store).entries(EntryQuery()).entries
        #expect(lines.map(\.request) == ["3f-a", "3f-b"])
        #expect(lines.map(\.page) == ["/game", nil])
        #expect(lines.map(\.file) == ["", ""])
        var query = EntryQuery()
        query.text = "/game"
        #expect(history.inspected(store).entries(query).entries.map(\.id) == [1])
    }

    @Test func `who changed a part of the state is said with what it became`() {
        let page = recorded().log.changes(of: "cart.total")
        #expect(page.entries.map { $0.change?.old } == ["0", "3", "7"])
        #expect(page.entries.map { $0.change?.new } == ["3", "7", "0"])
    }

    @Test func `pages lead from one to the next, both ways`() {
        let log = recorded().log
        var query = EntryQuery()
        query.limit = 2
        let newest = log.entries(query)
        #expect(newest.entries.map(\.id) == [4, 5])
        #expect(newest.earlier == 3 && newest.later == nil)
        query.start = .before(newest.earlier ?? 0)
        let older = log.entries(query)
        #expect(older.entries.map(\.id) == [2, 3])
        #expect(older.earlier == 1 && older.later == 3)
        query.start = .after(older.later ?? 0)
        #expect(log.entries(query).entries.map(\.id) == [4, 5])
        query.start = .after(0)
        #expect(log.entries(query).entries.map(\.id) == [1, 2])
        #expect(log.entries(query).later == 2)
    }

    @Test func `a question looks at no more entries than it may, and says where to go on`() {
        let history = History(of: store)
        for id in 0..<(EntryQuery.mostExamined + 2_000) {
            store.dispatch(CartAction.remove(id))
        }
        var query = EntryQuery()
        query.text = "\"no such text\""
        let page = history.inspected(store).entries(query)
        #expect(page.entries.isEmpty)
        #expect(page.examined < EntryQuery.mostExamined + 1_024)
        #expect((page.earlier ?? 0) > 0)
        query.start = .before(page.earlier ?? 0)
        #expect(history.inspected(store).entries(query).earlier == nil)
    }

    @Test func `skipped entries and those behind the moment that is shown say so`() {
        let (history, _) = recorded()
        history.toggle(2)
        history.jump(to: 3)
        let log = history.inspected(store)
        let lines = log.entries(EntryQuery()).entries
        #expect(lines.map(\.isSkipped) == [false, true, false, false, false])
        #expect(lines.map(\.isAhead) == [false, false, false, true, true])
        #expect(lines[1].isChange == false)
        #expect(log.summary.cursor == 3 && log.summary.shownID == 3 && !log.summary.isAtEnd)
    }

    @Test func `an entry is shown with its payload, or what reflection says`() throws {
        let log = recorded().log
        let add = try #require(log.entry(1))
        #expect(add.payload.parts.map(\.step) == ["id", "name", "price"])
        #expect(add.payload.parts.map(\.text) == ["1", "\"Pear\"", "3"])
        #expect(!add.isReflected)
        #expect(add.version == 1)
        let visit = try #require(log.entry(5))
        #expect(visit.isReflected)
        #expect(visit.payload.text == #"{isFirst: true, page: "home"}"#)
        #expect(log.entry(6) == nil && log.entry(0) == nil && log.entry(-1) == nil)
    }

    // MARK: States

    @Test func `a state is shown a part and a page at a time`() throws {
        let log = recorded().log
        let whole = try #require(log.state(at: 2, DataPath(), from: 0, limit: 100))
        #expect(whole.parts.map(\.step) == ["cart", "visits"])
        #expect(whole.parts[0].parts.map(\.text)[1] == "7")
        // What isn't encoded is no null.
        #expect(whole.parts[0].text == "{items: […], total: 7}")
        #expect(whole.parts[0].parts.map(\.text)[0] == "[…]")
        let items = try #require(log.state(at: 2, "cart.items", from: 1, limit: 100))
        #expect(items.kind == .list && items.count == 2 && items.first == 1)
        #expect(items.parts.map(\.path) == ["cart.items.1"])
        #expect(items.parts[0].parts.map(\.text) == ["2", "\"Fig\""])
        #expect(log.state(at: 2, "cart.items.7", from: 0, limit: 1) == nil)
        #expect(log.state(at: 2, "cart.total.x", from: 0, limit: 1) == nil)
        #expect(log.value(at: 0, "cart.total") == 0)
    }

    @Test func `two moments are compared, elements by their ids`() {
        let log = recorded().log
        #expect(
            log.changes(from: 0, to: 1, in: "cart", limit: 10).map {
                "\($0.kind) \($0.path) \($0.old) \($0.new)"
            } == [
                #"changed cart.items [] [{id: 1, name: "Pear"}]"#, "changed cart.total 0 3",
            ])
        #expect(log.changes(from: 3, to: 4, in: DataPath(), limit: 10).isEmpty)
        store.dispatch(CartAction.add(id: 1, name: "Pear", price: 3))
        let history = History(of: store)
        store.dispatch(CartAction.add(id: 2, name: "Fig", price: 3))
        store.dispatch(CartAction.remove(1))
        let removed = history.inspected(store).changes(from: 1, to: 2, in: "cart.items", limit: 10)
        #expect(removed.map(\.kind) == [.removed])
        #expect(removed.map(\.path) == ["cart.items.0"])
    }

    @Test func `a moment lies right after an entry, and an entry right before a moment`() {
        let (history, _) = recorded()
        history.perform { log in _ = log.move(1, before: 3) }
        let log = history.inspected(store)
        #expect((-1...6).map { log.id(before: $0) } == [nil, 0, 2, 1, 3, 4, 5, nil])
        #expect((0...5).map { log.moment(after: $0) } == [0, 2, 1, 3, 4, 5])
    }

    @Test(arguments: [Int.min, -1, 99, .max])
    func `numbers that no log has do no harm`(number: Int) {
        let log = recorded().log
        #expect(log.moment(after: number) == nil)
        #expect(log.id(before: number) == nil)
        #expect(log.entry(number) == nil)
        #expect(log.state(at: number, DataPath(), from: number, limit: number) != nil)
        #expect(log.changes(from: number, to: number, in: DataPath(), limit: 9).isEmpty)
        for start in [EntryQuery.Start.before(number), .after(number)] {
            var query = EntryQuery()
            (query.start, query.limit) = (start, number)
            #expect(log.entries(query).entries.count <= 5)
        }
    }

    @Test func `parts of a state are found by a text in their names or values, in any case`() {
        let (_, log) = recorded()
        #expect(
            log.find("PEAR", at: 2, in: DataPath(), limit: 9).map(\.path) == ["cart.items.0.name"])
        #expect(log.find("total", at: 2, in: DataPath(), limit: 9).map(\.text) == ["7"])
        #expect(log.find("7", at: 2, in: DataPath(), limit: 9).map(\.path) == ["cart.total"])
        #expect(
            log.find("e", at: 2, in: "cart.items.0", limit: 9).map(\.path) == ["cart.items.0.name"])
        #expect(log.find("e", at: 2, in: DataPath(), limit: 1).count == 1)
        #expect(log.find("", at: 2, in: DataPath(), limit: 9).isEmpty)
        #expect(log.find("pear", at: 3, in: DataPath(), limit: 9).isEmpty)
    }

    @Test func `entries become the source of a test, without those that are skipped`() throws {
        let (history, _) = recorded()
        history.toggle(2)
        let source = try history.inspected(store).testSource(from: 0, to: 3)
        #expect(source.contains(##"from: #"{"cart":{"items":[],"total":0},"visits":0}"#"##))
        #expect(source.contains(##"#"{"id":1,"name":"Pear","price":3}"#"##))
        #expect(!source.contains("Fig"))
        #expect(source.contains("try log.check(by: makeStore())"))
        // Visit is not Encodable: the test goes on after it.
        let rest = try history.inspected(store).testSource(from: 0, to: 5)
        #expect(rest.contains("// Visit is left out: ") && rest.contains("Pear"))
    }

    @Test func `raw is JSON with a line for each part, and ends where there is no more room`() {
        let value: DataValue = ["a": [1, "x"], "b": [:], "c": nil]
        #expect(
            value.indented(1_000) == """
                {
                  "a": [
                    1,
                    "x"
                  ],
                  "b": {},
                  "c": null
                }
                """)
        let list = DataValue.list(Array(repeating: 1, count: 10_000))
        #expect(list.indented(100).utf8.count < 300)
        #expect(list.indented(100).contains("…"))
    }

    @Test func `equal summaries mean that nothing has changed`() {
        let (history, log) = recorded()
        #expect(history.inspected(store).summary == log.summary)
        var summaries = [log.summary]
        for change: () -> Void in [
            { store.dispatch(Visit()) }, { history.toggle(1) }, { history.jump(to: 2) },
            { history.jumpToEnd() }, { history.perform { log in _ = log.move(1, before: 3) } },
            { history.perform { $0.lock() } }, { history.perform { $0.lock(false) } },
            { history.perform { $0.pause() } }, { store.dispatch(Visit()) },
        ] {
            change()
            summaries.append(history.inspected(store).summary)
        }
        #expect(zip(summaries, summaries.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test func `what encodes a part never looks at what lies beside it`() throws {
        struct Fragile: Codable, Sendable {
            var large: [Refusing] = [Refusing()]
            var small = ["a": 1]
        }
        struct Refusing: Codable, Sendable {
            func encode(to encoder: any Encoder) throws {
                throw JournalRefusal()
            }
        }
        struct JournalRefusal: Error {}
        let log = InspectedHistory(
            HistoryLog(from: Fragile()) { _, state in state },
            ActionCodec(for: store.log.actions))
        #expect(log.value(at: 0, "small.a") == 1)
        #expect(log.state(at: 0, "small", from: 0, limit: 9)?.parts.map(\.text) == ["1"])
        for path: DataPath in ["large", DataPath()] {
            #expect(log.value(at: 0, path)?.text?.hasPrefix("This can't be encoded") == true)
        }
    }
}

extension History where State == Shop {
    /// The log, to be asked.
    func inspected(_ store: Store<Shop>) -> InspectedHistory<Shop> {
        InspectedHistory(log, ActionCodec(for: store.log.actions))
    }
}
