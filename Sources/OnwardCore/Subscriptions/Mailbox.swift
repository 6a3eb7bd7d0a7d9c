// SPDX-License-Identifier: MIT

/// The calls that wait for one actor, for all subscribers of a store that are bound to it: the shell
/// around `Letters`.
///
/// They are made in the order in which they were posted: at once when the delivering thread already
/// runs on the actor, else by a hop, of which there is never more than one on its way.
package final class Mailbox: @unchecked Sendable {  // Everything mutable is guarded by `lock`.
    struct Letter {
        let subscriber: Subscriber
        let version: Version
        let generation: Int
        let cause: Cause?
        let call: @Sendable () -> Void
    }

    private weak let actor: (any Actor)?
    private let isMain: Bool
    private let lock = Lock()
    private var letters = Letters<Letter>()
    /// Where the changes of subscribers are joined while many letters wait, by the order of the
    /// subscriber.
    private var joints: [UInt64: Joint] = [:]

    init(_ actor: any Actor) {
        self.actor = actor
        isMain = actor === MainActor.shared
    }

    /// Whether the actor still exists.
    ///
    /// Not under a lock, unless the caller keeps the actor: otherwise it may go right here.
    var isAlive: Bool { actor != nil }

    /// How many calls wait.
    var count: Int { lock.withLock { letters.count } }

    /// Where a change of a subscriber is joined with those before it: when `limit` calls wait, and until
    /// what was joined then is told; nil when it is told by itself.
    ///
    /// By the deliverer of the subscriber's group, to which `isSame` belongs.
    func joint(for subscriber: Subscriber, limit: Int, _ isSame: Change.IsSame?) -> Joint? {
        lock.withLock {
            let isCrowded = letters.count >= limit
            guard isCrowded || !joints.isEmpty else { return nil }
            if let joint = joints[subscriber.order], isCrowded || joint.isWaiting { return joint }
            guard isCrowded else { return nil }
            let joint = Joint(isSame)
            joints[subscriber.order] = joint
            return joint
        }
    }

    /// Adds a call; true when this made the mailbox busy.
    func post(_ letter: Letter) -> Bool {
        lock.withLock { letters.post(letter) }
    }

    /// Sees to it that the posted calls are made; `here` is the actor that the thread runs on as far
    /// as the compiler knows.
    package func flush(_ engine: Engine, from here: (any Actor)?) {
        guard let actor else { return abandon(engine) }
        if here === actor || (isMain && MainQueue.isCurrent) {
            guard lock.withLock({ letters.open() }) else { return }
            actor.assumeIsolated { _ in drain(engine) }
        } else if lock.withLock({ letters.mustHop() }) {
            sendHop(engine)
        }
    }

    private func sendHop(_ engine: Engine) {
        guard let actor else { return abandon(engine) }
        Task { await hop(to: actor, engine) }
    }

    private func hop(to actor: isolated any Actor, _ engine: Engine) {
        if lock.withLock({ letters.openAfterHop() }) { drain(engine) }
    }

    /// Makes the calls of a turn; on the actor.
    private func drain(_ engine: Engine) {
        while true {
            // Let go of after the lock.
            var joints: [UInt64: Joint] = [:]
            let step = lock.withLock {
                let step = letters.next()
                if case .rest = step { swap(&joints, &self.joints) }
                return step
            }
            switch step {
            case .open(let letter):
                guard letter.subscriber.begin() else { continue }
                ThreadFrame.push(
                    engine: engine.id, version: letter.version, generation: letter.generation,
                    cause: letter.cause, letter.call)
                letter.subscriber.end()
            case .hop(let isOnItsWay):
                return isOnItsWay ? () : sendHop(engine)
            case .rest:
                return engine.endCallout()
            }
        }
    }

    /// Drops the calls of an actor that is gone, and with it the subscribers that would have been called.
    private func abandon(_ engine: Engine) {
        // Released after the lock, as their values may call back into the store when they go.
        let (abandoned, joints) = lock.withLock {
            defer { self.joints = [:] }
            return (letters.surrender(), self.joints)
        }
        if !abandoned.isEmpty { engine.endCallout() }
        withExtendedLifetime(joints) {}
    }
}
