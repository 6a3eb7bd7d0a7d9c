// SPDX-License-Identifier: MIT

import Foundation
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
        let lines = Selector<Ledger, EntityTable<Line>>(\.lines)
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
        var (undo, redo, jump): ([Double], [Double], [Double]) = ([], [], [])
        for step in 0..<50 { store.dispatch(LedgerAction.pay(id: step * 997, cents: step)) }
        for _ in 0..<50 {
            if let action = store.state.undo.undo {
                undo.append(milliseconds { store.dispatch(action) })
            }
        }
        for _ in 0..<50 {
            if let action = store.state.undo.redo {
                redo.append(milliseconds { store.dispatch(action) })
            }
        }
        let travelled = makeStore(isUndoable: false)
        let others = subscribe(to: travelled)
        let history = History(of: travelled)
        for step in 0..<50 { travelled.dispatch(LedgerAction.pay(id: step * 997, cents: step)) }
        for step in 0..<50 {
            jump.append(milliseconds { history.jump(to: step * 31 % 50) })
        }
        withExtendedLifetime((tokens, others)) {}
        return """
            U1: with five views of \(count) rows live (sorted, filtered, grouped, two sums), undo takes \
            \(worst(undo)), redo \(worst(redo)), a jump over up to 50 entries \(worst(jump)) (budget: 1 ms).
            """
    }

    private static func worst(_ times: [Double]) -> String {
        func rounded(_ time: Double) -> Double { (time * 1_000).rounded() / 1_000 }
        let sorted = times.sorted()
        return "\(rounded(sorted[sorted.count / 2])) ms (at worst \(rounded(sorted.last ?? 0)))"
    }

    /// The processor's time of this thread.
    private static func milliseconds(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        }
        let begin = now()
        body()
        return now() - begin
    }
}
