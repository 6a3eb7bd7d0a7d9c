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
            return orphans.isEmpty ? nil : EffectCue(self, orphans: orphans)
        }
        expect(action.version)
        let address = action.address
        var instances: [[EffectCue.Instance]] = []
        if !route.respondsLastingly {
            for responder in route.responders {
                instances.append(
                    self.instances(at: responder.place, of: address, in: engine, locked))
            }
        }
        return EffectCue(
            self, orphans: orphans,
            answered: EffectCue.Answered(
                route: route, action: action.boxed, address: address, instances: instances))
    }

    func timelineChanged(
        to state: TimelineState, in engine: Engine, _ locked: borrowing Locked
    ) -> (any DeliveryPart)? {
        let orphans = takeOrphans(in: engine, locked) { _ in true }
        let hasChanged = isPaused != (state == .travelled)
        isPaused = state == .travelled
        guard hasChanged || !orphans.isEmpty else { return nil }
        return EffectCue(self, orphans: orphans, timeline: hasChanged ? state : nil)
    }

    func respondsDirectly(_ locked: borrowing Locked) -> Bool { !isPaused && owners.isEmpty }

    func respond(
        to type: any Action.Type, _ action: UnsafeRawPointer, at address: Address,
        by route: Route, _ context: DeliveryContext, in engine: Engine
    ) -> (any DeliveryPart)? {
        var dispatches: [EffectTurn.Dispatch] = []
        answer(type, action, to: address, by: route, context, in: engine, &dispatches)
        return dispatches.isEmpty ? nil : EffectCue(self, dispatches: dispatches)
    }

    /// Has the answers to an action called, each for the instances that were noted.
    ///
    /// What is returned is to be dispatched when the commit has been told.
    func answer(
        _ answered: EffectCue.Answered, _ context: DeliveryContext, in engine: Engine
    ) -> [EffectTurn.Dispatch] {
        func open<A: Action>(_ action: A) -> [EffectTurn.Dispatch] {
            withUnsafePointer(to: action) { pointer in
                answer(A.self, UnsafeRawPointer(pointer), answered, context, in: engine)
            }
        }
        return open(answered.action)
    }

    private func answer(
        _ type: any Action.Type, _ action: UnsafeRawPointer, _ answered: EffectCue.Answered,
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
                    instance.life, in: engine, &dispatches)
                instance.life?.letGo(engine)
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
        _ context: DeliveryContext, at address: Address, _ life: EffectLife?, in engine: Engine,
        _ dispatches: inout [EffectTurn.Dispatch]
    ) {
        var scope = scope(of: responder, context.version, at: address, life, in: engine)
        guard let effect = reaction(responder).effect(of: action, in: scope), !effect.isNothing
        else {
            return putAside(&scope)
        }
        scope.note(box(action, as: type))
        begin(effect, in: scope, of: context, &dispatches)
        scope.letGo()
    }

    private func begin(
        _ effect: Effect, in scope: EffectScope, of context: DeliveryContext,
        _ dispatches: inout [EffectTurn.Dispatch]
    ) {
        switch effect.work {
        case .merge(let parts) where effect.isBare:
            for part in parts { begin(part, in: scope, of: context, &dispatches) }
        case .dispatch(let send) where effect.isBare && scope.engine.isShort(context):
            scope.hold()
            dispatches.append(EffectTurn.Dispatch(scope: scope, send: send))
        default:
            begin(effect, in: scope)
        }
    }

    private func scope(
        of responder: Responder, _ version: Version, at address: Address, _ life: EffectLife?,
        in engine: Engine
    ) -> EffectScope {
        if life == nil, let scope = takeSpareScope() {
            scope.take(up: engine, at: address, startedBy: version, order: responder.order)
            return scope
        }
        return EffectScope(
            engine: engine, runner: self, kind: .action, life: life, address: address, action: nil,
            startedBy: version, order: responder.order)
    }
}

extension EffectRunner: ProgramFollower {
    func follow(
        _ program: Program, in engine: Engine, _ locked: borrowing Locked
    ) -> () -> Void {
        let new = program.pieces.compactMap { $0 as? any WhilePart }.map {
            $0.watch(in: engine, self, isPaused: isPaused)
        }
        let old = exchange(new)
        return {
            for watch in old { watch.end() }
            for watch in new { watch.begin() }
        }
    }
}
