// SPDX-License-Identifier: MIT

internal import OnwardCore

/// What one commit means for effects; notified in its turn among the deliveries.
// `dispatches` are the holder's of the turn, hence `@unchecked`.
final class EffectTrigger: DeliveryPart, @unchecked Sendable {
    /// An instance as it was in the commit.
    struct Instance: Sendable {
        /// Where it was.
        let address: Address
        /// Nil if the instance lives as long as its store.
        let lifetime: InstanceLifetime?
        /// Its state, for answers that take it.
        var state: StateCopy?
    }

    /// An action that has answers.
    struct Answered: Sendable {
        let route: Route
        let action: any Action
        /// The address it was sent to.
        let address: Address
        /// For each answer, the instances that it was meant for; empty if all of them live as long
        /// as their store, so that the address identifies them.
        let instances: [[Instance]]
    }

    private let runner: EffectRunner
    private let engine: Engine
    /// The effects whose instance went away with the commit.
    private let orphans: InstanceLifetimes.Orphans
    /// What answers the action with effects; nil for nothing.
    private let answered: Answered?
    /// The state of the commit gate from here on; nil if it is unchanged.
    private let commitGate: CommitGateState?
    /// What is to be dispatched once the commit has been notified.
    private var dispatches: EffectDispatches?
    private var hasResumed = false

    init(
        _ runner: EffectRunner, in engine: Engine, orphans: InstanceLifetimes.Orphans,
        answered: Answered? = nil, commitGate: CommitGateState? = nil
    ) {
        self.runner = runner
        self.engine = engine
        self.orphans = orphans
        self.answered = answered
        self.commitGate = commitGate
    }

    func notifyBeforeSubscribers(_ context: DeliveryContext) {
        for orphan in orphans.lifetimes { runner.cancel(orphan) }
        for lifetime in orphans.moved { lifetime.follow(runner.names) }
        if commitGate == .travelled { runner.pause() }
        if let answered { dispatches = runner.answer(answered, context, in: engine) }
    }

    func proceed(_ context: DeliveryContext, on here: (any Actor)?) -> Bool {
        if commitGate == .live, !hasResumed {
            hasResumed = true
            runner.resume()
        }
        if dispatches?.proceed(context, on: here) == true { return true }
        if answered != nil { runner.reacted(to: context.version) }
        return false
    }
}
