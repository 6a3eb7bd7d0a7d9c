// SPDX-License-Identifier: MIT

internal import OnwardCore

// What commits mean for effects.

extension EffectRunner: RespondingParticipant {
    func reduced(
        _ dispatch: borrowing Dispatch, by route: Route, as version: CommitVersion,
        in engine: Engine,
        _ locked: borrowing Locked
    ) -> (any DeliveryPart)? {
        let orphans = takeOrphans(in: engine, locked, where: route.changes)
        guard !isPaused, !route.responders.isEmpty else {
            return orphans.isEmpty ? nil : EffectTrigger(self, in: engine, orphans: orphans)
        }
        expect(version)
        let address = dispatch.address
        return EffectTrigger(
            self, in: engine, orphans: orphans,
            answered: EffectTrigger.Answered(
                route: route, action: dispatch.boxed, address: address,
                instances: route.hasLastingResponders
                    ? []
                    : route.responders.map {
                        instances(of: $0, at: address, in: engine, locked)
                    }))
    }

    func gatesChanged(
        to state: CommitGateState, in engine: Engine, _ locked: borrowing Locked
    ) -> (any DeliveryPart)? {
        let orphans = takeOrphans(in: engine, locked) { _ in true }
        let hasChanged = isPaused != (state == .travelled)
        isPaused = state == .travelled
        guard hasChanged || !orphans.isEmpty else { return nil }
        return EffectTrigger(
            self, in: engine, orphans: orphans, commitGate: hasChanged ? state : nil)
    }

    func respondsDirectly(_ locked: borrowing Locked) -> Bool { !isPaused && lifetimes.isEmpty }

    func respond(
        to dispatch: borrowing Dispatch, by route: Route, _ context: DeliveryContext,
        in engine: Engine
    ) -> (any DeliveryPart)? {
        var dispatches = nil as EffectDispatches?
        answer(dispatch, by: route, context, in: engine, &dispatches)
        return dispatches
    }

    /// Calls the answers to an action, each for the instances that were noted.
    ///
    /// The result is to be dispatched once the commit has been notified.
    func answer(
        _ answered: EffectTrigger.Answered, _ context: DeliveryContext, in engine: Engine
    ) -> EffectDispatches? {
        // No answer knows where the action came from.
        func open(_ action: some Action) -> EffectDispatches? {
            Dispatch.with(action, to: answered.address, from: ActionOrigin(), on: nil) {
                answer($0, answered, context, in: engine)
            }
        }
        return open(answered.action)
    }

    private func answer(
        _ dispatch: borrowing Dispatch, _ answered: EffectTrigger.Answered,
        _ context: DeliveryContext, in engine: Engine
    ) -> EffectDispatches? {
        var dispatches = nil as EffectDispatches?
        let route = answered.route
        guard !route.hasLastingResponders else {
            answer(dispatch, by: route, context, in: engine, &dispatches)
            return dispatches
        }
        for (responder, instances) in zip(route.responders, answered.instances) {
            for instance in instances {
                if instance.lifetime == nil, !responder.takesState {
                    react(responder, to: dispatch, context, in: engine, &dispatches)
                    continue
                }
                react(responder, to: dispatch, context, at: instance, in: engine, &dispatches)
                instance.lifetime?.release(engine)
            }
        }
        return dispatches
    }

    /// Calls the answers to an action whose instances live as long as the store.
    @inline(__always)
    private func answer(
        _ dispatch: borrowing Dispatch, by route: Route, _ context: DeliveryContext,
        in engine: Engine, _ dispatches: inout EffectDispatches?
    ) {
        for index in route.responders.indices {
            route.responder(at: index, to: dispatch)?._withUnsafeGuaranteedRef {
                react($0, to: dispatch, context, in: engine, &dispatches)
            }
        }
    }

    /// Calls an answer whose instance lives as long as the store.
    @inline(__always)
    private func react(
        _ responder: Responder, to dispatch: borrowing Dispatch, _ context: DeliveryContext,
        in engine: Engine, _ dispatches: inout EffectDispatches?
    ) {
        // Nothing else registers responders, and one without a lifetime has such a reaction, which
        // it keeps.
        Unmanaged.passUnretained(unsafeDowncast(responder.target, to: StoreLifetimeReaction.self))
            ._withUnsafeGuaranteedRef { reaction in
                let effect = reaction.effect(
                    of: dispatch.action, in: context.version, responder, self, engine)
                guard !effect.isNothing else { return }
                begin(effect, of: reaction, responder, dispatch, context, engine, &dispatches)
            }
    }

    /// Begins the effect of an answer whose instance lives as long as the store.
    @inline(never)
    private func begin(
        _ effect: Effect, of reaction: StoreLifetimeReaction, _ responder: Responder,
        _ dispatch: borrowing Dispatch, _ context: DeliveryContext, _ engine: Engine,
        _ dispatches: inout EffectDispatches?
    ) {
        // Needs no owner: there is nothing to check for an instance that never goes away.
        if case .dispatch(let send) = effect.work, effect.isBare, engine.isShort(context),
            reaction.putOwnerAside()
        {
            return EffectDispatches.add(
                send, for: nil, at: responder.address, in: engine, to: &dispatches)
        }
        guard let owner = reaction.takeOwner(responder) else { return }
        owner.note(dispatch.boxed)
        begin(effect, in: owner, of: context, &dispatches)
        owner.release()
    }

    /// Calls an answer for an instance that may go away, or with the instance's state.
    private func react(
        _ responder: Responder, to dispatch: borrowing Dispatch, _ context: DeliveryContext,
        at instance: EffectTrigger.Instance, in engine: Engine,
        _ dispatches: inout EffectDispatches?
    ) {
        let owner = EffectOwner(
            engine: engine, runner: self, kind: .action, lifetime: instance.lifetime,
            address: instance.address, action: nil, startedBy: context.version,
            order: responder.order)
        let reaction = unsafeDowncast(responder.target, to: Reaction.self)
        let effect = reaction.effect(of: dispatch.action, in: owner, instance.state)
        if let effect, !effect.isNothing {
            owner.note(dispatch.boxed)
            begin(effect, in: owner, of: context, &dispatches)
        }
        owner.release()
    }

    private func begin(
        _ effect: Effect, in owner: EffectOwner, of context: DeliveryContext,
        _ dispatches: inout EffectDispatches?
    ) {
        switch effect.work {
        case .merge(let parts) where effect.isBare:
            for part in parts { begin(part, in: owner, of: context, &dispatches) }
        case .dispatch(let send) where effect.isBare && owner.engine.isShort(context):
            EffectDispatches.add(
                send, for: owner, at: owner.address, in: owner.engine, to: &dispatches)
        default:
            begin(effect, in: owner)
        }
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
