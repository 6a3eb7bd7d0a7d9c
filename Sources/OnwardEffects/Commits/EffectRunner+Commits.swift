// SPDX-License-Identifier: MIT

internal import OnwardCore

// What commits mean for effects.

extension EffectRunner: RespondingParticipant {
    func reduced(
        _ action: borrowing ReducedAction, in engine: Engine, _ locked: borrowing Locked
    ) -> (any DeliveryPart)? {
        let route = action.route
        let orphans = takeOrphans(in: engine, locked, where: route.changes)
        guard !isPaused, !route.responders.isEmpty else {
            return orphans.isEmpty ? nil : EffectTrigger(self, in: engine, orphans: orphans)
        }
        expect(action.version)
        let address = action.address
        return EffectTrigger(
            self, in: engine, orphans: orphans,
            answered: EffectTrigger.Answered(
                route: route, action: action.boxed, address: address,
                instances: route.respondsLastingly
                    ? []
                    : route.responders.map {
                        instances(at: $0.lens, of: address, in: engine, locked)
                    }))
    }

    func timelineChanged(
        to state: TimelineState, in engine: Engine, _ locked: borrowing Locked
    ) -> (any DeliveryPart)? {
        let orphans = takeOrphans(in: engine, locked) { _ in true }
        let hasChanged = isPaused != (state == .travelled)
        isPaused = state == .travelled
        guard hasChanged || !orphans.isEmpty else { return nil }
        return EffectTrigger(self, in: engine, orphans: orphans, timeline: hasChanged ? state : nil)
    }

    func respondsDirectly(_ locked: borrowing Locked) -> Bool { !isPaused && lifetimes.isEmpty }

    func respond(
        to type: any Action.Type, _ action: UnsafeRawPointer, at address: Address,
        by route: Route, _ context: DeliveryContext, in engine: Engine
    ) -> (any DeliveryPart)? {
        var dispatches: [EffectTurn.Dispatch] = []
        answer(type, action, to: address, by: route, context, in: engine, &dispatches)
        return dispatches.isEmpty ? nil : EffectTrigger(self, in: engine, dispatches: dispatches)
    }

    /// Has the answers to an action called, each for the instances that were noted.
    ///
    /// What is returned is to be dispatched when the commit has been told.
    func answer(
        _ answered: EffectTrigger.Answered, _ context: DeliveryContext, in engine: Engine
    ) -> [EffectTurn.Dispatch] {
        func open<A: Action>(_ action: A) -> [EffectTurn.Dispatch] {
            withUnsafePointer(to: action) { pointer in
                answer(A.self, UnsafeRawPointer(pointer), answered, context, in: engine)
            }
        }
        return open(answered.action)
    }

    private func answer(
        _ type: any Action.Type, _ action: UnsafeRawPointer, _ answered: EffectTrigger.Answered,
        _ context: DeliveryContext, in engine: Engine
    ) -> [EffectTurn.Dispatch] {
        var dispatches: [EffectTurn.Dispatch] = []
        let route = answered.route
        guard !route.respondsLastingly else {
            answer(
                type, action, to: answered.address, by: route, context, in: engine, &dispatches)
            return dispatches
        }
        for (responder, instances) in zip(route.responders, answered.instances) {
            for instance in instances {
                react(
                    responder, to: type, action, context, at: instance.address,
                    instance.lifetime, in: engine, &dispatches)
                instance.lifetime?.release(engine)
            }
        }
        return dispatches
    }

    /// Has the answers to an action called whose instances live as long as the store.
    private func answer(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address, by route: Route,
        _ context: DeliveryContext, in engine: Engine, _ dispatches: inout [EffectTurn.Dispatch]
    ) {
        route.forEachResponder(to: address) { responder in
            react(
                responder, to: type, action, context, at: responder.address, nil,
                in: engine, &dispatches)
        }
    }

    /// The answer that a responder is; nothing else registers responders.
    private func reaction(_ responder: Responder) -> Reaction {
        unsafeDowncast(responder.target, to: Reaction.self)
    }

    private func react(
        _ responder: Responder, to type: any Action.Type, _ action: UnsafeRawPointer,
        _ context: DeliveryContext, at address: Address, _ lifetime: InstanceLifetime?,
        in engine: Engine,
        _ dispatches: inout [EffectTurn.Dispatch]
    ) {
        var owner = owner(of: responder, context.version, at: address, lifetime, in: engine)
        guard let effect = reaction(responder).effect(of: action, in: owner), !effect.isNothing
        else {
            return putAside(&owner)
        }
        owner.note(box(action, as: type))
        begin(effect, in: owner, of: context, &dispatches)
        owner.release()
    }

    private func begin(
        _ effect: Effect, in owner: EffectOwner, of context: DeliveryContext,
        _ dispatches: inout [EffectTurn.Dispatch]
    ) {
        switch effect.work {
        case .merge(let parts) where effect.isBare:
            for part in parts { begin(part, in: owner, of: context, &dispatches) }
        case .dispatch(let send) where effect.isBare && owner.engine.isShort(context):
            owner.hold()
            dispatches.append(EffectTurn.Dispatch(owner: owner, send: send))
        default:
            begin(effect, in: owner)
        }
    }

    private func owner(
        of responder: Responder, _ version: Version, at address: Address,
        _ lifetime: InstanceLifetime?,
        in engine: Engine
    ) -> EffectOwner {
        if lifetime == nil, let owner = takeSpareOwner() {
            owner.take(up: engine, at: address, startedBy: version, order: responder.order)
            return owner
        }
        return EffectOwner(
            engine: engine, runner: self, kind: .action, lifetime: lifetime, address: address,
            action: nil,
            startedBy: version, order: responder.order)
    }
}

extension EffectRunner: FeaturesObserver {
    func featuresChanged(
        to features: CompiledFeatures, in engine: Engine, _ locked: borrowing Locked
    ) -> () -> Void {
        let new = features.extensions.compactMap { $0 as? any WhilePart }.map {
            $0.makeController(in: engine, self, isPaused: isPaused)
        }
        let old = exchange(new)
        return {
            for controller in old { controller.end() }
            for controller in new { controller.begin() }
        }
    }
}
