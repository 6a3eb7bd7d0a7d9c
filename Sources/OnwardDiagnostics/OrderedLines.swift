// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Writes the lines of overlapping calls one at a time, in the order of their versions.
final class OrderedLines: Sendable {
    private struct State {
        /// How many lines may wait for an earlier one, and as many again for the thread that writes.
        static let limit = 10_000

        var order = VersionOrder<String>(limit: limit)
        /// How many lines were left out, as writing could not keep up.
        var missing = 0
        /// Whether a thread is writing, which also writes what others leave meanwhile.
        var isWriting = false
    }

    private let state = Guarded(State())
    private let write: @Sendable (String) -> Void

    init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    /// Notes that a call begins; returns the number under which it ends.
    func begin() -> Int {
        state.withValue { $0.order.begin() }
    }

    /// Takes the line of a call that is over, and writes what can be written.
    func end(_ call: Int, at version: CommitVersion?, _ line: String) {
        let isOurs = state.withValue { state in
            let isFull = state.order.count >= 2 * State.limit
            state.order.end(call, at: version, isFull ? nil : line)
            if isFull { state.missing += 1 }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        guard isOurs else { return }
        while let lines = next() {
            for line in lines { write(line) }
        }
    }

    /// The lines to write now; nil, and this thread is done, when there are none.
    private func next() -> [String]? {
        state.withValue { state in
            var lines = state.order.take()
            if state.missing > 0 {
                let missing = "\(state.missing) lines are missing here"
                lines.append("\(missing): they came faster than written.")
                state.missing = 0
            }
            state.isWriting = !lines.isEmpty
            return lines.isEmpty ? nil : lines
        }
    }
}
