// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore

/// A table that was assigned does not know what changed since another one.
@Suite struct UnloggedRowsTests {
    /// Counts how often ids are hashed by a thread that holds the lock of a store, and does something when rows are
    /// compared.
    fileprivate final class Probe: Sendable {
        private let engine = Guarded<Engine?>(nil)
        private let count = Guarded(0)
        private let hook = Guarded<(@Sendable () -> Void)?>(nil)

        var hashesUnderLock: Int { count.withValue { $0 } }

        func watch(_ engine: Engine?) { self.engine.withValue { $0 = engine } }

        func hashed() {
            guard let engine = engine.withValue({ $0 }), engine.isInsideReducer else { return }
            count.withValue { $0 += 1 }
        }

        /// Has `body` called once, when rows are compared.
        func onCompare(_ body: @escaping @Sendable () -> Void) { hook.withValue { $0 = body } }

        func compared() {
            let hook = hook.withValue { $0.take() }
            hook?()
        }
    }

    fileprivate struct ProbedID: Hashable, Sendable {
        let number: Int
        let probe: Probe

        static func == (left: ProbedID, right: ProbedID) -> Bool { left.number == right.number }

        func hash(into hasher: inout Hasher) {
            probe.hashed()
            hasher.combine(number)
        }
    }

    fileprivate struct Row: Identifiable, Equatable, Sendable {
        let id: ProbedID
        var isDone = false

        static func == (left: Row, right: Row) -> Bool {
            left.id.probe.compared()
            return left.id == right.id && left.isDone == right.isDone
        }
    }

    fileprivate struct Rows: Sendable {
        var table: EntityTable<Row> = []
    }

    fileprivate struct Replace: Action {
        let table: EntityTable<Row>
    }

    /// A table of rows that are done or not.
    private func makeTable(_ count: Int, isDone: Bool, _ probe: Probe) -> EntityTable<Row> {
        var table: EntityTable<Row> = []
        for number in 0..<count {
            table.append(Row(id: ProbedID(number: number, probe: probe), isDone: isDone))
        }
        return table
    }

    private func makeStore(_ table: EntityTable<Row>) -> Store<Rows> {
        Store(Rows(table: table)) {
            Reduce { (rows: inout Rows, action: Replace) in rows.table = action.table }
        }
    }

    @Test
    func `watched rows are compared with a new table without the lock`() {
        let probe = Probe()
        let table = makeTable(1_000, isDone: false, probe)
        let store = makeStore(table)
        let notified = Recorder<Row?>()
        let tokens = table.map { store.subscribe(.row(\.table, id: $0.id), notified.record) }
        let action = Replace(table: makeTable(1_000, isDone: true, probe))
        probe.watch(store.engine)
        store.dispatch(action)
        probe.watch(nil)
        #expect(probe.hashesUnderLock < 10)
        #expect(notified.values.compactMap { $0?.id.number } == Array(0..<1_000))
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `those who leave while a new table is looked through leave their rows to the others`() {
        let probe = Probe()
        let table = makeTable(500, isDone: false, probe)
        let store = makeStore(table)
        let left = Recorder<Row?>()
        let rest = Recorder<Row?>()
        let first = table.map { store.subscribe(.row(\.table, id: $0.id), left.record) }
        let others = table.map { store.subscribe(.row(\.table, id: $0.id), rest.record) }
        let action = Replace(table: makeTable(500, isDone: true, probe))
        probe.onCompare { for token in first { token.cancel() } }
        store.dispatch(action)
        #expect(left.values.isEmpty)
        #expect(rest.values.compactMap { $0?.id.number } == Array(0..<500))
        withExtendedLifetime(others) {}
    }
}
