// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal

/// H2: what a history costs that is full, whose states are large, and that is written to a file.
enum HistoryAtLimit {
    private struct Row: Identifiable, Codable, Equatable, Sendable {
        let id: Int
        var title: String
        var isDone = false
    }

    private struct Board: Codable, Sendable { var rows: EntityTable<Row> = [] }

    private enum BoardAction: Action, Codable { case toggle(id: Int) }

    /// A million numbers, in one array.
    private struct Samples: Sendable { var all = Array(repeating: 0, count: 1_000_000) }

    private enum SamplesAction: Action { case set(Int, to: Int) }

    static func note() -> String {
        [dispatches(), memory(), export()].joined(separator: "\n")
    }

    private static func makeBoard(rows: Int) -> Store<Board> {
        var board = Board()
        for id in 0..<rows { board.rows.append(Row(id: id, title: "Row \(id)")) }
        return Store(board) {
            Reduce { (board: inout Board, action: BoardAction) in
                guard case .toggle(let id) = action else { return }
                board.rows[id: id]?.isDone.toggle()
            }
        }
    }

    /// Each dispatch by itself, in histories of the default limit and of ten times that, also while a copy of the log
    /// is held from one dispatch to the next.
    private static func dispatches() -> String {
        let rows = 10_000
        return [100_000, 1_000_000].map { limit in
            let store = makeBoard(rows: rows)
            let history = History(of: store, limit: limit)
            var number = 0
            func dispatch() {
                number += 1
                store.dispatch(BoardAction.toggle(id: (number &* 7_919) % rows))
            }
            for _ in 0..<limit + 5_000 { dispatch() }
            precondition(history.log.staged.count == limit)
            let alone = summary { processorTime(dispatch) }
            var log = history.log
            let held = summary {
                let time = processorTime(dispatch)
                log = history.log
                return time
            }
            withExtendedLifetime(log) {}
            return """
                H2: at a limit of \(limit) entries over \(rows) rows a dispatch takes \(alone), and \(held) while \
                a copy of the log is held (budget: none above 0.2 ms).
                """
        }.joined(separator: "\n")
    }

    /// The median, and the worst of 20,000 in the best of five rounds: what the history does comes back in each, what
    /// the machine does meanwhile doesn't.
    private static func summary(of step: () -> Duration) -> String {
        let rounds = (0..<5).map { _ in (0..<20_000).map { _ in step() / .microseconds(1) }.sorted()
        }
        func rounded(_ number: Double?) -> Double { ((number ?? 0) * 100).rounded() / 100 }
        return """
            \(rounded(median(rounds.map { $0[$0.count / 2] }))) µs (at worst \
            \(rounded(rounds.compactMap(\.last).min())))
            """
    }

    /// States that share nothing: an array of 8 MB, of which each action changes a number.
    private static func memory() -> String {
        let store = Store(Samples()) {
            Reduce { (samples: inout Samples, action: SamplesAction) in
                guard case .set(let index, let number) = action else { return }
                samples.all[index] = number
            }
        }
        let entries = 50_000
        let before = Living.residentBytes() ?? 0
        let history = History(of: store)
        for number in 0..<entries {
            store.dispatch(SamplesAction.set((number &* 7_919) % 1_000_000, to: number))
        }
        let recorded = Living.residentBytes() ?? 0
        for index in stride(from: 0, to: entries, by: entries / 40) { history.jump(to: index) }
        history.jumpToEnd()
        let travelled = Living.residentBytes() ?? 0
        return """
            H2: with an array of 8 MB in the state, \(entries) entries take \
            \((recorded - before) / 1_000_000) MB, \((travelled - before) / 1_000_000) MB after 40 jumps \
            (\(history.log.keptBytes / 1_000_000) MB of them kept states; budget for these: 64 MiB).
            """
    }

    /// 10,000 entries over 100 rows, without states and with one for each entry.
    private static func export() -> String {
        let store = makeBoard(rows: 100)
        let history = History(of: store)
        for number in 0..<10_000 { store.dispatch(BoardAction.toggle(id: number % 100)) }
        let (log, codec) = (history.log, ActionCodec(for: store.log.actions))
        func write(states: Bool) -> String {
            let before = Living.residentBytes() ?? 0
            var (bytes, largest, memory) = (0, 0, 0)
            let time = processorTime {
                try? log.writeDevToolsFile(codec, states: states) { piece in
                    bytes += piece.count
                    largest = max(largest, piece.count)
                    if states { memory = max(memory, Living.residentBytes() ?? 0) }
                }
            }
            let growth = states ? ", and \(max(memory - before, 0) >> 20) MiB of memory" : ""
            return """
                \((time / .milliseconds(1)).rounded()) ms for \(bytes >> 10) KiB in pieces of at most \
                \(largest >> 10) KiB\(growth)
                """
        }
        return """
            H2: a file of 10,000 entries takes \(write(states: false)); with the state after each \
            \(write(states: true)).
            """
    }
}
