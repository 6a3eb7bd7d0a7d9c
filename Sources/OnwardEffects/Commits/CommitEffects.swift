// SPDX-License-Identifier: MIT

internal import DequeModule
internal import OnwardCore

/// Dispatches the action of an effect that only dispatches, in a turn of the holder or of a job.
///
/// Receives the owner of the job (nil in a turn of the holder, which has checked that it may dispatch), where the
/// instance is that the effect belongs to, and the actor that the holder runs on. They aren't combined into one value,
/// because making it would retain three references.
typealias EffectSender =
    @Sendable (Engine, EffectOwner?, EffectOwner.Place, (any Actor)?) ->
    DispatchResult

extension Engine {
    /// Dispatches the action of an effect value, in a turn.
    func send<A: Action>(
        _ action: A, to address: Address, from origin: ActionOrigin, for owner: EffectOwner?,
        at place: EffectOwner.Place? = nil, on here: (any Actor)?
    ) -> DispatchResult {
        let isolation = owner == nil ? here : nil
        return Dispatch.with(action, to: settled(address), from: origin, on: isolation) {
            if let owner { owner.dispatch($0, at: place) } else { self.dispatch($0) }
        }
    }
}

/// What one commit means for effects: which end with it, what responds to its action, and what is dispatched once it has
/// been notified.
// `dispatches` and `hasResumed` belong to the holder of the turn, hence `@unchecked`.
final class CommitEffects: DeliveryPart, @unchecked Sendable {
    /// An instance as it was in the commit.
    struct Instance: Sendable {
        /// Where it was.
        let address: Address
        /// Nil if the instance lives as long as its store.
        let lifetime: InstanceLifetime?
        /// Its state, for responders that take it.
        var state: StateCopy?
    }

    /// An action that is responded to.
    struct Responses: Sendable {
        let route: Route
        let action: any Action
        /// The address it was sent to.
        let address: Address
        /// For each responder, the instances that the action was meant for; empty if all of them live as long as their
        /// store, so that the address identifies them.
        let instances: [[Instance]]
    }

    private struct Dispatch {
        let send: EffectSender
        /// Held until the dispatch has been made; nil for an instance that lives as long as its store,
        /// because nothing ends its right to dispatch.
        let owner: EffectOwner?
        /// The instance that the effect belongs to, for those without an owner.
        let address: Address
    }

    private let runner: EffectRunner
    private let engine: Engine
    /// The effects whose instance went away with the commit.
    private let orphans: InstanceLifetimes.Orphans
    /// Nil where nothing is left to respond.
    private let responses: Responses?
    /// The state of the commit gate from here on; nil if it is unchanged.
    private let commitGate: CommitGateState?
    private var dispatches = Deque<Dispatch>()
    private var hasResumed = false

    init(
        _ runner: EffectRunner, in engine: Engine,
        orphans: InstanceLifetimes.Orphans = InstanceLifetimes.Orphans(),
        responses: Responses? = nil, commitGate: CommitGateState? = nil
    ) {
        self.runner = runner
        self.engine = engine
        self.orphans = orphans
        self.responses = responses
        self.commitGate = commitGate
    }

    /// Adds a dispatch for when the commit has been notified.
    func add(_ send: @escaping EffectSender, for owner: EffectOwner?, at address: Address) {
        owner?.hold()
        dispatches.append(Dispatch(send: send, owner: owner, address: address))
    }

    func notifyBeforeSubscribers(_ context: DeliveryContext) {
        for orphan in orphans.lifetimes { runner.cancel(orphan) }
        for lifetime in orphans.moved { lifetime.follow(runner.names) }
        if commitGate == .travelled { runner.pause() }
        guard let responses else { return }
        var effects: CommitEffects? = self
        runner.respond(responses, context, in: engine, &effects)
    }

    func proceed(_ context: DeliveryContext, on here: (any Actor)?) -> Bool {
        if commitGate == .live, !hasResumed {
            hasResumed = true
            runner.resume()
        }
        if let next = dispatches.popFirst() {
            dispatch(next, context, on: here)
            if !dispatches.isEmpty { return true }
        }
        if responses != nil { runner.responded(to: context.version) }
        return false
    }

    private func dispatch(_ next: Dispatch, _ context: DeliveryContext, on here: (any Actor)?) {
        func send(from place: EffectOwner.Place) -> DispatchResult {
            var result = DispatchResult.refused(.expired)
            let permit = next.owner.map { $0.permit($0, at: place) }
            engine.call(within: context, with: permit) {
                result = next.send(engine, nil, place, here)
            }
            return result
        }
        if let owner = next.owner {
            _ = owner.dispatch(near: send)
            owner.release()
        } else {
            _ = send(from: EffectOwner.Place(address: next.address))
        }
    }
}
