// SPDX-License-Identifier: MIT

import Processes
import Synchronization

/// When each version has reached the readers.
final class Arrivals: Sendable {
    private struct State {
        var times: [Int: [Int]] = [:]
        var eventSize = 0
        var failure: String?
    }

    private let readers: Int
    private let state = Mutex(State())

    init(readers: Int) { self.readers = readers }

    /// When the readers had each version, on ``Machine/now``, in the order in which they had it.
    var times: [Int: [Int]] { state.withLock { $0.times } }

    /// The size of the newest event of any of them, in bytes.
    var eventSize: Int { state.withLock { $0.eventSize } }

    /// Notes that a reader has these versions now.
    func note(versions: ClosedRange<Int>) {
        let now = Machine.now
        state.withLock { state in
            for version in versions { state.times[version, default: []].append(now) }
        }
    }

    /// Notes the size of an event that has come.
    func note(eventSize: Int) { state.withLock { $0.eventSize = eventSize } }

    /// Notes what spoils the measurement.
    func fail(_ reason: String) { state.withLock { $0.failure = $0.failure ?? reason } }

    /// Waits until each reader has a version.
    func wait(for version: Int) throws {
        try wait { $0.times[version]?.count ?? 0 >= readers }
    }

    /// Waits until each reader has any version.
    func waitUntilOpen() throws {
        try wait { $0.times.values.reduce(0) { $0 + $1.count } >= readers }
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
