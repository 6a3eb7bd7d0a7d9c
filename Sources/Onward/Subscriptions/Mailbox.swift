// SPDX-License-Identifier: MIT

internal import DequeModule

#if canImport(Dispatch)
internal import Dispatch
#endif

/// The calls that wait for one actor, for all subscribers of a store that are bound to it.
///
/// They are made in the order in which they were posted: at once when the delivering thread already
/// runs on the actor, else by a hop, of which there is never more than one on its way.
final class Mailbox: @unchecked Sendable {  // Everything mutable is guarded by `lock`.
    struct Letter {
        let subscriber: Subscriber
        let version: Version
        let generation: Int
        let cause: Cause?
        let call: @Sendable () -> Void
    }

    private let lock = Lock()
    private weak var actor: (any Actor)?
    private let isMain: Bool
    private var letters = Deque<Letter>()
    private var isDraining = false
    private var isHopping = false

    /// The engine whose mailbox this is.
    private(set) weak var engine: Engine?

    init(_ actor: any Actor, _ engine: Engine) {
        self.actor = actor
        self.engine = engine
        isMain = actor === MainActor.shared
    }

    /// Whether the actor still exists.
    var isAlive: Bool { lock.withLock { actor != nil } }

    /// Whether so many calls wait that further ones should be joined.
    func isCrowded(_ limit: Int) -> Bool { lock.withLock { letters.count >= limit } }

    /// Adds a call; true when this made the mailbox busy.
    func post(_ letter: Letter) -> Bool {
        lock.withLock {
            defer { letters.append(letter) }
            return letters.isEmpty && !isDraining
        }
    }

    /// Sees to it that the posted calls are made; `here` is the actor that the thread runs on as far
    /// as the compiler knows.
    func flush(_ engine: Engine, from here: (any Actor)?) {
        guard let actor = lock.withLock({ actor }) else { return abandon(engine) }
        if here === actor || (isMain && MainQueue.isCurrent) {
            actor.assumeIsolated { _ in drain(engine) }
            return
        }
        let mustHop = lock.withLock {
            guard !isHopping, !isDraining, !letters.isEmpty else { return false }
            isHopping = true
            return true
        }
        if mustHop { Task { await hop(to: actor, engine) } }
    }

    private func hop(to actor: isolated any Actor, _ engine: Engine) {
        lock.withLock { isHopping = false }
        drain(engine)
    }

    /// Makes the calls; on the actor.
    private func drain(_ engine: Engine) {
        let mayDrain = lock.withLock {
            guard !isDraining, !letters.isEmpty else { return false }
            isDraining = true
            return true
        }
        guard mayDrain else { return }
        while let letter = lock.withLock({ next() }) {
            guard letter.subscriber.begin(orLeave: { letter.call }) else { continue }
            ThreadFrame.push(
                engine: engine.id, version: letter.version, generation: letter.generation,
                cause: letter.cause, letter.call)
            letter.subscriber.end()
        }
        engine.endCallout()
    }

    /// Drops the calls of an actor that is gone, and with it whoever would have been called.
    private func abandon(_ engine: Engine) {
        // Let go of after the lock, as their values may call back into the store when they go.
        var abandoned = Deque<Letter>()
        lock.withLock {
            if !isDraining { swap(&abandoned, &letters) }
        }
        if !abandoned.isEmpty { engine.endCallout() }
    }

    private func next() -> Letter? {
        if let letter = letters.popFirst() { return letter }
        isDraining = false
        return nil
    }
}

/// Whether the current thread runs on the main queue.
enum MainQueue {
    #if canImport(Dispatch)
    // Thread ids don't answer this: on Linux the main actor leaves the first thread of the process.
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
    #else
    static var isCurrent: Bool { false }
    #endif
}
