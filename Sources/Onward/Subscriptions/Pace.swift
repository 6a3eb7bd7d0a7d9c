// SPDX-License-Identifier: MIT

/// The shell around `Pacing`: holds its lock, compares and calls outside it, runs the pauses on the
/// store's clock.
final class Pace: @unchecked Sendable {  // Everything mutable is under `lock`.
    /// The least time between two calls; nil where changes that wait are joined without a pause.
    let duration: Duration?
    private let isSame: Change.IsSame?
    private let clock: any Clock<Duration>
    private let lock = Lock()
    private var machine = Pacing()
    private var pause: Task<Void, Never>?
    private weak var engine: Engine?

    /// A pace for a policy; nil, and nothing allocated, where every change is told.
    static func keeping(
        _ policy: DeliveryPolicy, _ isSame: Change.IsSame?, _ engine: Engine
    ) -> Pace? {
        switch policy {
        case .every: nil
        case .latest: Pace(nil, isSame, engine)
        case .atMostOnce(let duration): Pace(duration, isSame, engine)
        }
    }

    /// A pace with pauses between the calls; without any for a nil duration.
    init(_ duration: Duration?, _ isSame: Change.IsSame?, _ engine: Engine) {
        self.duration = duration
        self.isSame = isSame
        clock = engine.options.clock
        self.engine = engine
    }

    /// Whether changes wait for an occasion.
    var isJoining: Bool { lock.withLock { machine.isJoining } }

    /// Takes a change that waits; true for the first one, which has to see to an occasion.
    func join(_ change: Change) -> Bool {
        lock.withLock { machine.join(change) }
    }

    /// Makes the call for the changes that were joined, if they changed anything.
    func takeJoined(_ call: (Change) -> Void) {
        let change = lock.withLock { machine.takeJoined() }
        if let change, !change.isRepeat(by: isSame) { call(change) }
    }

    /// Takes a change, and begins a pause and makes the call if none is under way.
    func offer(_ change: Change, to subscriber: Subscriber, _ call: (Change) -> Void) {
        guard let due = lock.withLock({ machine.offer(change) }) else { return }
        beginPause(for: subscriber)
        call(due)
    }

    /// Ends the pause that is under way.
    func end() {
        let pause = lock.withLock {
            defer { self.pause = nil }
            return self.pause
        }
        pause?.cancel()
    }

    private func beginPause(for subscriber: Subscriber) {
        guard let duration else { return }
        let task = Task { [clock, weak self, weak subscriber] in
            guard (try? await clock.sleep(for: duration)) != nil else { return }
            guard let self, let subscriber else { return }
            pauseEnded(for: subscriber)
        }
        lock.withLock { pause = task }
    }

    private func pauseEnded(for subscriber: Subscriber) {
        while let change = lock.withLock({ machine.pauseEnded() }) {
            // What came back to the value that was told last is not told, and needs no pause.
            if change.isRepeat(by: isSame) { continue }
            beginPause(for: subscriber)
            engine?.call(subscriber, subscriber.letter(telling: change))
            return
        }
    }
}
