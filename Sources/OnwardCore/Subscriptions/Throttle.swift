// SPDX-License-Identifier: MIT

/// The shell around `ThrottleState`: compares and calls, and runs the pauses on the store's clock.
///
/// What to call with is decided by the holder of the right to call, at the moment of the call. So two calls
/// cannot overtake each other between the decision and the call.
final class Throttle: @unchecked Sendable {  // As said at each property.
    private let duration: Duration
    private let clock: any Clock<Duration>
    private weak let host: (any SubscriberHost)?
    private let lock = Lock()
    /// The pause that is under way; under `lock`.
    private var pause: Task<Void, Never>?
    /// Whether a pause has ended and this was not noted yet; under `lock`.
    private var isOver = false
    /// Belongs to the holder of the right to call.
    private var machine = ThrottleState()
    /// The same.
    private var isSame: Change.IsSame?

    init(_ duration: Duration, _ isSame: Change.IsSame?, _ host: any SubscriberHost) {
        self.duration = duration
        self.isSame = isSame
        clock = host.clock
        self.host = host
    }

    /// Takes a change, and begins a pause and makes the call if none is under way.
    ///
    /// By the holder of the right to call.
    func offer(_ change: Change, to subscriber: Subscriber, _ call: (Change) -> Void) {
        var skipped: Change?
        guard let due = machine.offer(change, skipping: &skipped) else { return }
        beginPause(for: subscriber)
        call(due)
    }

    /// Makes the call that is due if a pause has ended.
    ///
    /// By the holder of the right to call.
    func takePause(of subscriber: Subscriber, _ call: (Change) -> Void) {
        let isOver = lock.withLock {
            defer { self.isOver = false }
            return self.isOver
        }
        guard isOver else { return }
        while let change = machine.pauseEnded() {
            // A change back to the value that was delivered last is not notified, and needs no pause.
            if change.isRepeat(by: isSame) { continue }
            beginPause(for: subscriber)
            return call(change)
        }
    }

    /// Ends the pause that is under way, and forgets what waits.
    ///
    /// By the last holder of the right to call.
    func end() {
        let pause = lock.withLock {
            defer { self.pause = nil }
            return self.pause
        }
        pause?.cancel()
        machine = ThrottleState()
        isSame = nil
    }

    private func beginPause(for subscriber: Subscriber) {
        let task = Task { [duration, clock, weak self, weak subscriber] in
            guard (try? await clock.sleep(fromNowFor: duration)()) != nil else { return }
            guard let self, let subscriber else { return }
            lock.withLock { isOver = true }
            host?.pauseEnded(of: subscriber)
        }
        let last = lock.withLock {
            defer { pause = task }
            return pause
        }
        withExtendedLifetime(last) {}
    }
}
