// SPDX-License-Identifier: MIT

internal import Onward

/// The pause of the task that calls a journal, which others may end early.
///
/// Pauses are numbered, each higher than the one before. One that was ended early goes on for whoever waits for the
/// same one again.
final class RecordingPause: Sendable {
    private struct Contents {
        /// The pause that is under way, or about to begin.
        var number: UInt64 = 0
        var hasBegun = false
        var isOver = false
        var isEndedEarly = false
        var sleeper: Task<Void, Never>?
        var waiter: CheckedContinuation<Void, Never>?

        var isReady: Bool { isOver || isEndedEarly }

        mutating func turn(to number: UInt64) {
            guard self.number < number else { return }
            (self.number, hasBegun, isOver, isEndedEarly) = (number, false, false, false)
        }
    }

    private let contents = Guarded(Contents())

    deinit { contents.withValue { $0.sleeper }?.cancel() }

    /// Waits until a pause is over, or is ended early; one task at a time.
    ///
    /// - Returns: Whether it is over.
    func wait(_ number: UInt64, _ length: Duration, _ clock: any Clock<Duration>) async -> Bool {
        let begins = contents.withValue { contents in
            contents.turn(to: number)
            defer { contents.hasBegun = true }
            return !contents.hasBegun
        }
        if begins { begin(number, length, clock) }
        await withCheckedContinuation { continuation in
            let isReady = contents.withValue { contents in
                if !contents.isReady { contents.waiter = continuation }
                return contents.isReady
            }
            if isReady { continuation.resume() }
        }
        return contents.withValue { contents in
            contents.isEndedEarly = false
            return contents.isOver
        }
    }

    /// Ends a pause early, even one that is about to begin.
    func end(_ number: UInt64) { wake(number) { $0.isEndedEarly = true } }

    private func begin(_ number: UInt64, _ length: Duration, _ clock: any Clock<Duration>) {
        let sleeper = Task { [weak self] in
            try? await clock.sleep(for: length)
            self?.wake(number) { $0.isOver = true }
        }
        let old = contents.withValue { contents in
            defer { contents.sleeper = sleeper }
            return contents.sleeper
        }
        old?.cancel()
    }

    private func wake(_ number: UInt64, _ change: (inout Contents) -> Void) {
        let waiter = contents.withValue { contents -> CheckedContinuation<Void, Never>? in
            contents.turn(to: number)
            guard contents.number == number else { return nil }
            change(&contents)
            defer { contents.waiter = nil }
            return contents.waiter
        }
        waiter?.resume()
    }
}
