// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import OnwardJournal

/// How much memory the states that a history keeps may take.
struct KeptStatesTests {
    struct Row: Identifiable, Sendable {
        let id: Int
        var number = 0
    }

    struct Tables: Sendable {
        var rows: EntityTable<Row> = []
        var list: [Int] = []
    }

    struct Change: Action { let index: Int }

    private static func store(rows: Int = 0, list: Int = 0) -> Store<Tables> {
        var tables = Tables(list: Array(repeating: 0, count: list))
        for id in 0..<rows { tables.rows.append(Row(id: id)) }
        return Store(tables) {
            Reduce { (tables: inout Tables, change: Change) in
                if !tables.list.isEmpty { tables.list[change.index % tables.list.count] += 1 }
                tables.rows[id: change.index % 20_000]?.number += 1
            }
        }
    }

    private static func history(
        of store: Store<Tables>, _ entries: Int, stateBytes: Int
    ) -> History<Tables> {
        let history = History(of: store, spacing: 16, stateBytes: stateBytes)
        for index in 0..<entries { store.dispatch(Change(index: index &* 7_919)) }
        return history
    }

    /// Whether moments anywhere are what running all entries gives.
    private static func checkMoments(_ history: History<Tables>) {
        var log = history.log
        var plain = HistoryLog(from: log.base, spacing: 1_000_000) { entries, state in
            store().log.replay(entries, from: state)
        }
        for entry in log.staged { plain.perform(entry) }
        for index in stride(from: log.staged.count, through: 0, by: -37) {
            let (mine, others) = (log.state(at: index), plain.state(at: index))
            #expect(mine.list == others.list)
            #expect(mine.rows.map(\.number) == others.rows.map(\.number))
        }
    }

    @Test func `of an array, which states do not share, as many are kept as fit`() {
        // 80 kB each.
        let store = Self.store(list: 10_000)
        let history = Self.history(of: store, 600, stateBytes: 1_000_000)
        #expect(history.log.snapshotCount == 12)
        #expect(history.log.keptBytes > 900_000 && history.log.keptBytes <= 1_000_000)
        Self.checkMoments(history)
        for index in 0..<600 { _ = history.state(at: index) }
        #expect(history.log.keptBytes <= 1_000_000)
    }

    @Test func `a table shares with the next state, and takes little`() {
        let store = Self.store(rows: 20_000)
        let history = Self.history(of: store, 600, stateBytes: 4_000_000)
        // Sixteen times half a megabyte and more, if nothing were shared.
        #expect(history.log.snapshotCount == 16)
        #expect(history.log.keptBytes < 4_000_000)
        let alone = MemoryEstimate.bytes(of: store.state, since: nil)
        #expect(16 * alone > 8_000_000)
    }

    @Test func `a state that is too large is computed from the entries`() {
        let store = Self.store(list: 10_000)
        let history = Self.history(of: store, 200, stateBytes: 50_000)
        #expect(history.log.snapshotCount == 0)
        #expect(history.log.keptBytes == 0)
        Self.checkMoments(history)
        history.jump(to: 10)
        #expect(store.state.list.reduce(0, +) == 10)
        history.jumpToEnd()
        #expect(store.state.list.reduce(0, +) == 200)
        #expect(history.log.snapshotCount == 0)
    }

    @Test func `what is dropped does not count any more, and what it shared counts once`() {
        struct Numbers: Sendable { var parts: [[Int]] }
        struct Next: Action {}
        // Two parts of 8 kB; an action changes one of them, in turn.
        var log = HistoryLog(
            from: Numbers(parts: [
                Array(repeating: 0, count: 1_000), Array(repeating: 0, count: 1_000),
            ]),
            spacing: 1, stateBytes: 60_000
        ) { entries, state in
            var state = state
            for entry in entries { state.parts[Int(entry.version) % 2][0] += 1 }
            return state
        }
        for _ in 0..<40 { log.perform(HistoryEntry(id: 0, action: Next())) }
        for index in 0...40 { _ = log.state(at: index) }
        #expect(log.keptBytes <= 60_000 && log.keptBytes > 30_000)
        #expect(log.snapshotCount >= 3 && log.snapshotCount <= 7)
        log.toggle(1)
        #expect(log.snapshotCount == 0 && log.keptBytes == 0)
        for index in 0...40 {
            #expect(log.state(at: index).parts.map { $0[0] }.reduce(0, +) == max(index - 1, 0))
        }
    }
}

struct MemoryEstimateTests {
    struct Inner: Sendable {
        var name = "a name that does not fit into a string's own bytes"
        var bytes = Data(repeating: 1, count: 5_000)
    }

    final class Object: Sendable {
        let numbers = Array(repeating: 1, count: 1_000)
    }

    enum Choice: Sendable {
        case nothing
        case some(Inner)
    }

    struct Whole: Sendable {
        var number = 1
        var numbers = Array(repeating: 1, count: 1_000)
        var inner: Inner? = Inner()
        var names = (0..<100).map { "a name that is long enough for the heap, \($0)" }
        var byName = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, "x") })
        var object = Object()
        var choice = Choice.some(Inner())
    }

    @Test func `a value is measured with what it refers to`() {
        let bytes = MemoryEstimate.bytes(of: Whole(), since: nil)
        // 8,000 + 5,100 + 9,000 + some 4,000 + 8,000 + 5,100.
        #expect(bytes > 30_000 && bytes < 60_000)
        #expect(MemoryEstimate.bytes(of: (1, 2.0, "short"), since: nil) == 0)
    }

    @Test func `what two values share is not counted`() {
        let one = Whole()
        var other = one
        #expect(MemoryEstimate.bytes(of: other, since: one) == 0)
        other.number = 2
        #expect(MemoryEstimate.bytes(of: other, since: one) == 0)
        other.numbers[3] = 7
        let changed = MemoryEstimate.bytes(of: other, since: one)
        #expect(changed >= 8_000 && changed < 9_000)
        other.inner?.bytes[0] = 0
        #expect(MemoryEstimate.bytes(of: other, since: one) >= 13_000)
        other.choice = .nothing
        #expect(MemoryEstimate.bytes(of: other, since: one) < 15_000)
    }

    @Test func `a table is measured by what changed in it`() {
        var table: EntityTable<KeptStatesTests.Row> = []
        for id in 0..<50_000 { table.append(KeptStatesTests.Row(id: id)) }
        let whole = MemoryEstimate.bytes(of: table, since: nil)
        #expect(whole > 50_000 * 16 && whole < 50_000 * 100)
        var other = table
        other[id: 7]?.number = 1
        let one = MemoryEstimate.bytes(of: other, since: table)
        #expect(one > 0 && one < 20_000)
        for id in stride(from: 0, to: 50_000, by: 10) { other[id: id]?.number = 2 }
        let much = MemoryEstimate.bytes(of: other, since: table)
        #expect(much > whole / 4 && much <= whole)
    }

    @Test func `objects that refer to each other have an end`() {
        final class Node: @unchecked Sendable {
            var next: Node?
        }
        let node = Node()
        node.next = Node()
        node.next?.next = node
        #expect(MemoryEstimate.bytes(of: node, since: nil) < 100_000)
        node.next = nil
    }
}
