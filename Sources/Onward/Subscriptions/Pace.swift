// SPDX-License-Identifier: MIT

/// The shell around `Pacing`: holds its lock, runs its pauses on the store's clock.
final class Pace: @unchecked Sendable {  // Everything mutable is under `lock`.
    /// Whether changes that wait are joined without a pause.
    let joins: Bool
    private let clock: any Clock<Duration>
    private let lock = Lock()
    private var machine: Pacing
    private var pause: Task<Void, Never>?
    private weak var engine: Engine?

    /// A pace for a policy; nil where every change is told.
    init?(
        _ policy: DeliveryPolicy, _ isSame: Change.IsSame?, _ engine: Engine
    ) {
        if policy == .every { return nil }
        joins = policy == .latest
        clock = engine.options.clock
        machine = Pacing(policy, isSame)
        self.engine = engine
    }

    /// Takes a change and makes the call that is due now, if one is.
    func offer(
        _ old: ValueCopy, _ new: ValueCopy, isBehind: Bool, to subscriber: Subscriber,
        _ call: (ValueCopy, ValueCopy) -> Void
    ) {
        let step = lock.withLock { machine.offer(old, new, isBehind: isBehind) }
        perform(step, for: subscriber, call)
    }

    /// Makes the call for the changes that were joined, if there are any.
    func takeJoined(_ call: (ValueCopy, ValueCopy) -> Void) {
        guard let pair = lock.withLock({ machine.takeJoined() }) else { return }
        call(pair.old, pair.new)
    }

    /// Ends the pause that is under way.
    func end() {
        let pause = lock.withLock {
            defer { self.pause = nil }
            return self.pause
        }
        pause?.cancel()
    }

    private func perform(
        _ step: Pacing.Step, for subscriber: Subscriber,
        _ call: (ValueCopy, ValueCopy) -> Void
    ) {
        switch step {
        case .wait: break
        case .call(let pair): call(pair.old, pair.new)
        case .callAndPause(let pair, let duration):
            let task = Task { [clock, weak self, weak subscriber] in
                guard (try? await clock.sleep(for: duration)) != nil else { return }
                guard let self, let subscriber else { return }
                pauseEnded(for: subscriber)
            }
            lock.withLock { pause = task }
            call(pair.old, pair.new)
        }
    }

    private func pauseEnded(for subscriber: Subscriber) {
        let step = lock.withLock { machine.pauseEnded() }
        perform(step, for: subscriber) { old, new in
            engine?.call(subscriber, subscriber.letter(old, new))
        }
    }
}
