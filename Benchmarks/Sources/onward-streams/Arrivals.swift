// SPDX-License-Identifier: MIT

import Synchronization

/// How many readers each version has reached, and when.
final class Arrivals: Sendable {
    private struct State {
        var counts: [Int: Int] = [:]
        var last: [Int: Int] = [:]
        var failure: String?
    }

    private let readers: Int
    private let state = Mutex(State())

    init(readers: Int) { self.readers = readers }

    /// When the last reader had a version, on ``Machine/now``.
    var last: [Int: Int] { state.withLock { $0.last } }

    /// Notes that a reader has these versions now.
    func note(versions: ClosedRange<Int>) {
        let now = Machine.now
        state.withLock { state in
            for version in versions {
                state.counts[version, default: 0] += 1
                state.last[version] = now
            }
        }
    }

    /// Notes what spoils the measurement.
    func fail(_ reason: String) { state.withLock { $0.failure = $0.failure ?? reason } }

    /// Waits until each reader has a version.
    func wait(for version: Int) throws {
        try wait { $0.counts[version, default: 0] >= readers }
    }

    /// Waits until each reader has any version.
    func waitUntilOpen() throws {
        try wait { $0.counts.values.reduce(0, +) >= readers }
    }

    private func wait(until isDone: (borrowing State) -> Bool) throws {
        // Polled, so that waiting takes nothing from what is measured.
        for _ in 0..<3_000 {
            let (done, failure) = state.withLock { (isDone($0), $0.failure) }
            if let failure { throw Failure(failure) }
            if done { return }
            Machine.sleep(milliseconds: 10)
        }
        throw Failure("The readers didn't get their events within 30 s.")
    }
}
