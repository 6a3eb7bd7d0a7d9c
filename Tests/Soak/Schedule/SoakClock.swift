// SPDX-License-Identifier: MIT

import Foundation

/// The clock of a history's store: it moves when the schedule, or a step, says so.
///
/// Nothing here is a point for the schedule, and continuations are resumed outside the mutex.
final class SoakClock: Clock, @unchecked Sendable {  // Everything mutable is under `mutex`.
    struct Instant: InstantProtocol {
        let elapsed: Swift.Duration

        func advanced(by duration: Swift.Duration) -> Instant {
            Instant(elapsed: elapsed + duration)
        }
        func duration(to other: Instant) -> Swift.Duration { other.elapsed - elapsed }
        static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
    }

    private final class Sleeper {
        let deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>?
        var isCancelled = false

        init(_ deadline: Instant) { self.deadline = deadline }
    }

    private let mutex = NSLock()
    private var time = Instant(elapsed: .zero)
    private var sleepers: [Sleeper] = []

    var now: Instant { mutex.withLock { time } }
    var minimumResolution: Swift.Duration { .zero }
    var hasSleepers: Bool { mutex.withLock { !sleepers.isEmpty } }
    /// The moment for which the first sleeper waits.
    var nextDeadline: Instant? { mutex.withLock { sleepers.map(\.deadline).min() } }

    func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        nonisolated(unsafe) let sleeper = Sleeper(deadline)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let verdict: Result<Void, any Error>? = mutex.withLock {
                    if sleeper.isCancelled { return .failure(CancellationError()) }
                    if deadline <= time { return .success(()) }
                    sleeper.continuation = continuation
                    sleepers.append(sleeper)
                    return nil
                }
                if let verdict { continuation.resume(with: verdict) }
            }
        } onCancel: {
            let continuation = mutex.withLock {
                sleeper.isCancelled = true
                sleepers.removeAll { $0 === sleeper }
                return sleeper.continuation.take()
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    func advance(by duration: Swift.Duration) {
        move { $0.advanced(by: duration) }
    }

    /// Moves on to the moment for which the first sleeper waits.
    func advanceToNext() {
        move { [self] in sleepers.map(\.deadline).min() ?? $0 }
    }

    private func move(_ next: (Instant) -> Instant) {
        let due = mutex.withLock {
            time = max(time, next(time))
            let due = sleepers.filter { $0.deadline <= time }.sorted { $0.deadline < $1.deadline }
            sleepers.removeAll { $0.deadline <= time }
            return due.compactMap { $0.continuation.take() }
        }
        for continuation in due { continuation.resume() }
    }
}
