// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal

/// What undo, redo and a jump cost while views of many rows follow.
enum Undoing {
    private struct Line: Identifiable, Equatable, Sendable {
        let id: Int
        var account: Int
        var cents: Int
        var isOpen: Bool
    }

    private struct Ledger: Sendable {
        var lines: EntityTable<Line> = []
        var undo = UndoStack<EntityTable<Line>>()
    }

    private enum LedgerAction: Action { case pay(id: Int, cents: Int) }

    private static let count = 50_000

    private static func makeStore(isUndoable: Bool) -> Store<Ledger> {
        var ledger = Ledger()
        for id in 0..<count {
            ledger.lines.append(
                Line(id: id, account: id % 100, cents: id &* 7_919 % 10_007, isOpen: id % 3 == 0))
        }
        let reduce = Reduce<Ledger> { (ledger: inout Ledger, action: LedgerAction) in
            guard case .pay(let id, let cents) = action else { return }
            ledger.lines.update(id: id) { line in
                line.cents = cents
                line.isOpen.toggle()
            }
        }
        return Store(ledger) {
            if isUndoable {
                Undoable(\.lines, stack: \.undo) { reduce }.recording(LedgerAction.self)
            } else {
                reduce
            }
        }
    }

    /// Sorted, filtered, grouped, and two sums.
    private static func subscribe(to store: Store<Ledger>) -> [Subscription] {
        let lines = StateSelector<Ledger, EntityTable<Line>>(\.lines)
        let open = lines.filter { $0.isOpen }
        return [
            store.subscribe(.selector(lines.sorted { $0.cents < $1.cents })) { _, _ in },
            store.subscribe(.selector(open)) { _, _ in },
            store.subscribe(.selector(lines.grouped { $0.account })) { _, _ in },
            store.subscribe(.selector(lines.sum { $0.cents })) { _, _ in },
            store.subscribe(.selector(open.sum { $0.cents })) { _, _ in },
        ]
    }

    /// U1: each of the three, with five views live.
    static func views() -> String {
        let store = makeStore(isUndoable: true)
        let tokens = subscribe(to: store)
        let travelled = makeStore(isUndoable: false)
        let others = subscribe(to: travelled)
        let history = History(of: travelled)
        for step in 0..<50 {
            store.dispatch(LedgerAction.pay(id: step * 997, cents: step))
            travelled.dispatch(LedgerAction.pay(id: step * 997, cents: step))
        }
        var times: [[Double]] = [[], [], []]
        for _ in 0..<5 {
            times[0].append(
                worst { _ in store.state.undo.undo.map { undo in { _ = store.dispatch(undo) } } })
            times[1].append(
                worst { _ in store.state.undo.redo.map { redo in { _ = store.dispatch(redo) } } })
            times[2].append(worst { step in { _ = history.jump(to: step * 31 % 50) } })
        }
        withExtendedLifetime((tokens, others)) {}
        let least = times.map { (($0.min() ?? 0) * 1_000).rounded() / 1_000 }
        return """
            U1: with five views of \(count) rows live (sorted, filtered, grouped, two sums), undo takes at worst \
            \(least[0]) ms, redo \(least[1]) ms, a jump over up to 50 entries \(least[2]) ms (budget: 1 ms; the \
            worst of 50, in the best of five rounds).
            """
    }

    /// The milliseconds of the slowest of 50 steps.
    private static func worst(_ step: (Int) -> (() -> Void)?) -> Double {
        (0..<50).compactMap { step($0).map { processorTime($0) / .milliseconds(1) } }.max() ?? 0
    }

    /// U2: a change when the stack is full, at two limits.
    static func full() -> String {
        let times = [100, 100_000].map { limit -> Double in
            let store = Store(Counter()) {
                Undoable(\.number, stack: \.undo, limit: limit) {
                    Reduce { (counter: inout Counter, action: CounterAction) in
                        guard case .set(let number) = action else { return }
                        counter.number = number
                    }
                }
                .recording(CounterAction.self)
            }
            var number = 0
            func change(_ count: Int) {
                for _ in 0..<count {
                    number += 1
                    store.dispatch(CounterAction.set(number))
                }
            }
            change(limit + 1_000)
            precondition(store.state.undo.count == limit)
            return median(
                (0..<11).map { _ in processorTime { change(10_000) } / .nanoseconds(10_000) })
        }
        return """
            U2: a change takes \(Int(times[0])) ns with a full undo stack of 100 steps, \(Int(times[1])) ns \
            with one of 100,000 (budget: twice as much).
            """
    }

    private struct Counter: Sendable {
        var number = 0
        var undo = UndoStack<Int>()
    }

    private enum CounterAction: Action { case set(Int) }
}
