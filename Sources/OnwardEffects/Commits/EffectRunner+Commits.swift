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
            return orphans.isEmpty ? nil : CommitEffects(self, in: engine, orphans: orphans)
        }
        expect(version)
        let address = dispatch.address
        return CommitEffects(
            self, in: engine, orphans: orphans,
            responses: CommitEffects.Responses(
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
        return CommitEffects(
            self, in: engine, orphans: orphans, commitGate: hasChanged ? state : nil)
    }

    func respondsDirectly(_ locked: borrowing Locked) -> Bool { !isPaused && lifetimes.isEmpty }

    func respond(
        to dispatch: borrowing Dispatch, by route: Route, _ context: DeliveryContext,
        in engine: Engine
    ) -> (any DeliveryPart)? {
        var effects = nil as CommitEffects?
        respond(to: dispatch, by: route, context, in: engine, &effects)
        return effects
    }

    /// Calls what responds to an action, each for the instances that were noted.
    ///
    /// What is to be dispatched once the commit has been notified is added to `effects`.
    func respond(
        _ responses: CommitEffects.Responses, _ context: DeliveryContext, in engine: Engine,
        _ effects: inout CommitEffects?
    ) {
        // No responder knows where the action came from.
        func open(_ action: some Action) {
            Dispatch.with(action, to: responses.address, from: ActionOrigin(), on: nil) {
                respond(to: $0, responses, context, in: engine, &effects)
            }
        }
        open(responses.action)
    }

    private func respond(
        to dispatch: borrowing Dispatch, _ responses: CommitEffects.Responses,
        _ context: DeliveryContext, in engine: Engine, _ effects: inout CommitEffects?
    ) {
        let route = responses.route
        guard !route.hasLastingResponders else {
            return respond(to: dispatch, by: route, context, in: engine, &effects)
        }
        for (responder, instances) in zip(route.responders, responses.instances) {
            for instance in instances {
                if instance.lifetime == nil, !responder.takesState {
                    respond(responder, to: dispatch, context, in: engine, &effects)
                    continue
                }
                respond(responder, to: dispatch, context, at: instance, in: engine, &effects)
                instance.lifetime?.release(engine)
            }
        }
    }

    /// Calls what responds to an action for instances that live as long as the store.
    @inline(__always)
    private func respond(
        to dispatch: borrowing Dispatch, by route: Route, _ context: DeliveryContext,
        in engine: Engine, _ effects: inout CommitEffects?
    ) {
        for index in route.responders.indices {
            route.responder(at: index, to: dispatch)?._withUnsafeGuaranteedRef {
                respond($0, to: dispatch, context, in: engine, &effects)
            }
        }
    }

    /// Calls a responder whose instance lives as long as the store.
    @inline(__always)
    private func respond(
        _ responder: Responder, to dispatch: borrowing Dispatch, _ context: DeliveryContext,
        in engine: Engine, _ effects: inout CommitEffects?
    ) {
        // Nothing else registers responders, and one without a lifetime has such a closure, which it keeps.
        Unmanaged.passUnretained(unsafeDowncast(responder.target, to: EffectClosure.self))
            ._withUnsafeGuaranteedRef { closure in
                let effect = closure.effect(
                    of: dispatch.action, in: context.version, responder, self, engine)
                guard !effect.isNothing else { return }
                begin(effect, of: closure, responder, dispatch, context, engine, &effects)
            }
    }

    /// Begins the effect of a responder whose instance lives as long as the store.
    @inline(never)
    private func begin(
        _ effect: Effect, of closure: EffectClosure, _ responder: Responder,
        _ dispatch: borrowing Dispatch, _ context: DeliveryContext, _ engine: Engine,
        _ effects: inout CommitEffects?
    ) {
        // Needs no owner: there is nothing to check for an instance that never goes away.
        if case .dispatch(let send) = effect.work, effect.isBare, engine.isShort(context),
            closure.putOwnerAside()
        {
            return add(send, for: nil, at: responder.address, in: engine, to: &effects)
        }
        guard let owner = closure.takeOwner(responder) else { return }
        owner.note(dispatch.boxed)
        begin(effect, in: owner, of: context, &effects)
        owner.release()
    }

    /// Calls a responder for an instance that may go away, or with the instance's state.
    private func respond(
        _ responder: Responder, to dispatch: borrowing Dispatch, _ context: DeliveryContext,
        at instance: CommitEffects.Instance, in engine: Engine, _ effects: inout CommitEffects?
    ) {
        let owner = EffectOwner(
            engine: engine, runner: self, kind: .action, lifetime: instance.lifetime,
            address: instance.address, action: nil, startedBy: context.version,
            order: responder.order)
        let closure = unsafeDowncast(responder.target, to: EffectClosure.self)
        let effect = closure.effect(of: dispatch.action, in: owner, instance.state)
        if let effect, !effect.isNothing {
            owner.note(dispatch.boxed)
            begin(effect, in: owner, of: context, &effects)
        }
        owner.release()
    }

    private func begin(
        _ effect: Effect, in owner: EffectOwner, of context: DeliveryContext,
        _ effects: inout CommitEffects?
    ) {
        switch effect.work {
        case .merge(let parts) where effect.isBare:
            for part in parts { begin(part, in: owner, of: context, &effects) }
        case .dispatch(let send) where effect.isBare && owner.engine.isShort(context):
            add(send, for: owner, at: owner.address, in: owner.engine, to: &effects)
        default:
            begin(effect, in: owner)
        }
    }

    /// Adds a dispatch to what follows from a commit.
    private func add(
        _ send: @escaping EffectSender, for owner: EffectOwner?, at address: Address,
        in engine: Engine, to effects: inout CommitEffects?
    ) {
        let all = effects ?? CommitEffects(self, in: engine)
        effects = all
        all.add(send, for: owner, at: address)
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
