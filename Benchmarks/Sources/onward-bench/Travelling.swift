// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardJournal

/// What a history and the codec cost.
enum Travelling {
    struct Row: Identifiable, Codable, Equatable, Sendable {
        let id: Int
        var title: String
        var isDone = false
    }

    struct Board: Codable, Equatable, Sendable { var rows: EntityTable<Row> = [] }

    enum BoardAction: Action, Codable, Equatable {
        case toggle(id: Int)
        case rename(id: Int, title: String)
    }

    private static let entries = 100_000
    private static let rows = 10_000

    private static func makeStore() -> Store<Board> {
        var board = Board()
        for id in 0..<rows { board.rows.append(Row(id: id, title: "Row \(id)")) }
        return Store(board) {
            Reduce { (board: inout Board, action: BoardAction) in
                switch action {
                case .toggle(let id): board.rows[id: id]?.isDone.toggle()
                case .rename(let id, let title): board.rows[id: id]?.title = title
                }
            }
        }
    }

    /// H1: jumping in a history of 100,000 entries over a table of 10,000 rows, and its memory.
    static func history() -> String {
        let store = makeStore()
        let first = store.state
        let before = Living.residentBytes() ?? 0
        let history = History(of: store)
        var generator = SystemRandomNumberGenerator()
        let recording = processorTime {
            for number in 0..<entries {
                store.dispatch(BoardAction.toggle(id: (number &* 7_919) % rows))
            }
        }
        let recorded = Living.residentBytes() ?? 0
        let cold = processorTime { history.jump(to: entries / 2) }
        var worst = Duration.zero
        for _ in 0..<200 {
            let index = Int.random(in: 0...entries, using: &generator)
            worst = max(worst, processorTime { history.jump(to: index) })
        }
        history.jumpToEnd()
        let travelled = Living.residentBytes() ?? 0
        let log = history.log.staged.map {
            LogEntry(version: CommitVersion($0.id), action: $0.action, address: $0.address)
        }
        let replaying = processorTime {
            precondition(store.log.replay(log, from: first) == store.state)
        }
        return """
            H1: a history of \(entries) entries over \(rows) rows: recording \(perEntry(recording)) ns an \
            entry, the first jump \(milliseconds(cold)) ms, 200 random jumps at worst \
            \(milliseconds(worst)) ms (budget: 50), replay \(1_000_000_000 / max(perEntry(replaying), 1)) \
            entries/s (budget: 500,000); memory \((recorded - before) / entries) bytes an entry, with the \
            states that jumps keep \((travelled - before) / entries). Times are the processor's.
            """
    }

    /// What a dispatch costs while a recorder writes into a journal in memory, and how fast that writes.
    static func recorder() async -> String {
        let count = 50_000
        func dispatchAll(_ store: Store<Board>) -> Duration {
            processorTime {
                for number in 0..<count { store.dispatch(BoardAction.toggle(id: number % rows)) }
            }
        }
        let plain = dispatchAll(makeStore())
        do {
            let store = makeStore()
            let journal = MemoryJournal()
            var options = RecordingOptions()
            options.waitingBytes = .max
            let recorder = try await JournalRecorder(
                of: store, into: journal, JournalCodec(for: store), options: options)
            let recorded = dispatchAll(store)
            try await recorder.flush()
            try await recorder.stop()
            let fresh = makeStore()
            let selection = ContinuousClock.now
            let found = try await Replay.state(
                of: journal, startingWith: Board(), by: fresh, JournalCodec(for: fresh))
            precondition(found.state == store.state)
            let read = ContinuousClock.now - selection
            return """
                Recorder: a dispatch takes \(nanoseconds(plain) / Int64(count)) ns, with a recorder into a \
                journal in memory \(nanoseconds(recorded) / Int64(count)) ns; a state behind a snapshot and \
                up to 10,000 entries is read in \(milliseconds(read)) ms of real time.
                """
        } catch {
            return "Recorder: \(error)"
        }
    }

    /// Reading a large file of Redux DevTools.
    static func exchange() -> String {
        let action = #"{"type":"BoardAction/rename","id":4711,"title":"Buy milk and bread"}"#
        let actions = Array(repeating: action, count: 400_000).joined(separator: ",")
        let text = String(
            decoding: (try? JSONEncoder().encode("[\(actions)]")) ?? Data(), as: UTF8.self)
        let bytes = Array("{\"payload\":\(text)}".utf8)
        let before = Living.residentBytes() ?? 0
        do {
            var file: DevToolsFile?
            let time = try processorTime { file = try DevToolsFile(bytes) }
            let after = Living.residentBytes() ?? 0
            return withExtendedLifetime(file) {
                """
                Exchange: a file of \(bytes.count >> 20) MiB with 400,000 actions is read in \
                \(milliseconds(time)) ms, and takes \((after - before) >> 20) MiB.
                """
            }
        } catch {
            return "Exchange: \(error)"
        }
    }

    /// Writing and reading the payload of a small action, against Foundation's JSON.
    static func codec() -> String {
        let store = makeStore()
        let codec = ActionCodec(for: store.log.actions)
        let count = 20_000
        let action = BoardAction.rename(id: 4_711, title: "Buy milk")
        let entry = LogEntry(version: 1, action: action)
        do {
            let written = try codec.encode(entry)
            let json = try JSONEncoder().encode(action)
            let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
            // With an id, as a recorder numbers its entries; a random one is two system calls.
            let id = EntryID()
            let encoding = try processorTime {
                for _ in 0..<count { _ = try codec.encode(entry, id: id) }
            }
            let decoding = try processorTime {
                for _ in 0..<count { _ = try codec.decode(written) }
            }
            let toJSON = try processorTime { for _ in 0..<count { _ = try encoder.encode(action) } }
            let fromJSON = try processorTime {
                for _ in 0..<count { _ = try decoder.decode(BoardAction.self, from: json) }
            }
            func each(_ duration: Duration) -> Int64 { nanoseconds(duration) / Int64(count) }
            return """
                Codec: an entry in \(written.payload.count) bytes of CBOR (JSON: \(json.count)): written \
                in \(each(encoding)) ns (JSONEncoder: \(each(toJSON))), read in \(each(decoding)) ns \
                (JSONDecoder: \(each(fromJSON))).
                """
        } catch {
            return "Codec: \(error)"
        }
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000_000 + duration.components.attoseconds
            / 1_000_000_000
    }

    private static func perEntry(_ duration: Duration) -> Int64 {
        nanoseconds(duration) / Int64(entries)
    }

    private static func milliseconds(_ duration: Duration) -> String {
        "\(Double(nanoseconds(duration) / 10_000) / 100)"
    }
}
