// SPDX-License-Identifier: MIT

// What effects need of the engine. Wherever a function says that it releases the lock, its caller
// holds it.

extension Engine {
    /// Returns when nothing is being delivered and no effect of an action is there.
    func idle() async {
        await EffectJob.resting(in: self) { isInside in
            while true {
                await rest()
                let isIdle = whole {
                    callouts == 0 && outbox.isIdle && effects.isQuiet(insideEffect: isInside)
                }
                if isIdle || Task.isCancelled { return }
                await effects.quiet(insideEffect: isInside)
            }
        }
    }

    /// Dispatches for an effect.
    ///
    /// The frame makes the entry that started it the parent, and lets the commit see, under the lock,
    /// whether the effect still has the right to dispatch.
    func dispatch(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, for lease: EffectLease, startedBy: Version?
    ) -> DispatchResult {
        guard enterCallout() else { return refuseInsideReducer(type, action, origin) }
        defer { endCallout() }
        // An answer that dispatches by itself continues the delivery that it is called in.
        let outer = ThreadFrame.innermost(of: id)
        return ThreadFrame.push(
            engine: id, version: outer?.version ?? startedBy ?? 0,
            generation: outer?.generation ?? -1, depth: outer?.depth ?? 0, cause: outer?.cause,
            lease: lease
        ) {
            EffectJob.outside { dispatch(type, action, to: address, from: origin, on: here) }
        }
    }

    private func enterCallout() -> Bool {
        let thread = CurrentThread.id
        guard !lock.isOwned(by: thread) else { return false }
        lock.acquire(as: thread)
        callouts += 1
        lock.release()
        return true
    }

    // MARK: What a commit means for effects

    /// What a commit through a route means for effects; nil mostly.
    ///
    /// Under the lock.
    @inline(never)
    func cue(
        of route: Route, _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address
    ) -> EffectCue? {
        let orphans = owners.isEmpty ? [] : owners.orphans(in: root, where: route.changes)
        guard !areEffectsPaused, !route.reactions.isEmpty else {
            return orphans.isEmpty ? nil : EffectCue(orphans: orphans)
        }
        effects.expect(version)
        return EffectCue(
            orphans: orphans,
            answered: EffectCue.Answered(
                route: route, action: box(action, as: type), address: address,
                instances: route.answersLastingly
                    ? [] : route.reactions.map { instances(at: $0.place, of: address) }))
    }

    /// Commits an action that is just answered, in a store that has nothing else to look after.
    ///
    /// Where nothing waits, the answers are called from the stack, with the action where it lies, and
    /// nothing is made before it is known that there is an effect. Releases the lock.
    func commitAnswered(
        by route: Route, _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, _ thread: UInt
    ) -> DispatchResult {
        let outcome = route.reduce(root, action, as: type, to: address)
        guard outcome == .reduced else { return refuse(outcome, type, action, address, origin) }
        version += 1
        let version = version
        let groups = route.isWatched(in: index) ? route.watchers : []
        let context = DeliveryContext(version: version, lastListener: index.lastOrder)
        if !tellAnswered(by: route, type, action, to: address, context, groups, on: here, thread) {
            let cue = cue(of: route, type, action, to: address)
            tell(Delivery(context, groups: groups, cue: cue), on: here, thread)
        }
        return .accepted(version)
    }

    /// Tells of the newest commit from the stack, answers first; false, and nothing is done, where something
    /// waits, somebody delivers, or instances have to be noted.
    ///
    /// The caller holds the lock, which is released here when the commit is told.
    @inline(__always)
    func tellAnswered(
        by route: Route, _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        _ context: DeliveryContext, _ groups: [SelectionGroup], on here: (any Actor)?,
        _ thread: UInt
    ) -> Bool {
        guard route.answersLastingly, !route.reactions.isEmpty, !areEffectsPaused, owners.isEmpty,
            behind.isEmpty, outbox.claim(thread, alone: context.version)
        else { return false }
        var dispatches: [EffectTurn.Dispatch] = []
        tell(groups, of: context, on: here, thread) {
            answer(type, action, to: address, by: route, context, &dispatches)
            // Until they are made nobody is to see rest.
            if !dispatches.isEmpty { lock.withLock { callouts += 1 } }
        }
        if !dispatches.isEmpty {
            send(dispatches, of: context, on: here)
            endCallout()
        }
        return true
    }

    /// What an installed state means for effects.
    ///
    /// Under the lock.
    func travelCue(resuming isLive: Bool) -> EffectCue? {
        let orphans = owners.isEmpty ? [] : owners.orphans(in: root) { _ in true }
        let change = change(to: isLive ? .resume : .pause)
        guard !orphans.isEmpty || change != nil else { return nil }
        return EffectCue(orphans: orphans, change: change)
    }

    /// Notes whether effects may run; nil when nothing changes by that.
    private func change(to change: EffectCue.Change) -> EffectCue.Change? {
        guard areEffectsPaused != (change == .pause) else { return nil }
        areEffectsPaused = change == .pause
        return change
    }

    /// Tells effects, in turn with the deliveries, whether they may run.
    ///
    /// Releases the lock.
    func tellEffects(_ change: EffectCue.Change, on here: (any Actor)?, _ thread: UInt) {
        guard let change = self.change(to: change) else { return lock.release() }
        tell(
            Delivery(
                DeliveryContext(version: version, lastListener: index.lastOrder),
                cue: EffectCue(change: change)),
            on: here, thread)
    }

    /// The timeline decides otherwise from here on.
    func reconsider(
        _ judge: TimelineJudge, _ change: EffectCue.Change, on here: (any Actor)?
    ) {
        guard enter(CurrentThread.id) else { return }
        guard timeline === judge else { return lock.release() }
        timelineTurn += 1
        tellEffects(change, on: here, CurrentThread.id)
    }

    /// Begins what a commit means for effects; by its deliverer, outside the lock.
    ///
    /// What is returned is to be dispatched when the commit has been told.
    func begin(_ cue: EffectCue, of context: DeliveryContext) -> [EffectTurn.Dispatch] {
        for orphan in cue.orphans { effects.cancel(orphan) }
        if cue.change == .pause { effects.pause() }
        guard let answered = cue.answered else { return [] }
        return answer(answered.action, as: answered, context)
    }

    /// Ends it, when the commit has been told.
    func end(
        _ cue: EffectCue, _ dispatches: [EffectTurn.Dispatch], of context: DeliveryContext,
        on here: (any Actor)?
    ) {
        if cue.change == .resume { effects.resume() }
        send(dispatches, of: context, on: here)
        if cue.answered != nil { effects.reacted(to: context.version) }
    }

    /// Dispatches for effects that are no more than that.
    private func send(
        _ dispatches: [EffectTurn.Dispatch], of context: DeliveryContext, on here: (any Actor)?
    ) {
        let turn = EffectTurn(here: here)
        for dispatch in dispatches {
            ThreadFrame.push(
                engine: id, version: context.version, generation: context.generation,
                cause: context.cause, lease: dispatch.scope
            ) {
                EffectJob.outside { dispatch.send(dispatch.scope, turn) }
            }
            dispatch.scope.letGo()
        }
    }

    /// Whether the chain that a commit belongs to is short enough to go on without a task.
    ///
    /// Effects may dispatch for ever, which is no mistake as long as it keeps nobody. So after a while one
    /// does it in a task, with which a chain begins anew, long before it counts as a loop or the stack ends.
    private func isShort(_ context: DeliveryContext) -> Bool {
        guard context.generation < min(16, options.limits.generations / 2) else { return false }
        guard let chain = context.cause else { return true }
        return lock.withLock { chain.loop.answers < min(1_000, options.limits.allAnswers / 2) }
    }

    /// Has the answers to an action called, each for the instances that were noted.
    private func answer<A: Action>(
        _ action: A, as answered: EffectCue.Answered, _ context: DeliveryContext
    ) -> [EffectTurn.Dispatch] {
        var dispatches: [EffectTurn.Dispatch] = []
        let route = answered.route
        withUnsafePointer(to: action) { pointer in
            let pointer = UnsafeRawPointer(pointer)
            guard !route.answersLastingly else {
                return answer(
                    A.self, pointer, to: answered.address, by: route, context, &dispatches)
            }
            for (reaction, instances) in zip(route.reactions, answered.instances) {
                for instance in instances {
                    react(
                        reaction, to: A.self, pointer, context, at: instance.address,
                        instance.life, &dispatches)
                    instance.life?.letGo(self)
                }
            }
        }
        return dispatches
    }

    /// Has the answers to an action called whose instances live as long as the store.
    private func answer(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address, by route: Route,
        _ context: DeliveryContext, _ dispatches: inout [EffectTurn.Dispatch]
    ) {
        for reaction in route.reactions where address.includes(reaction.place.steps) {
            react(reaction, to: type, action, context, at: reaction.address, nil, &dispatches)
        }
    }

    private func react(
        _ reaction: Reaction, to type: any Action.Type, _ action: UnsafeRawPointer,
        _ context: DeliveryContext, at address: Address, _ life: EffectLife?,
        _ dispatches: inout [EffectTurn.Dispatch]
    ) {
        var scope = scope(of: reaction, context.version, at: address, life)
        guard let effect = reaction.effect(of: action, in: scope), !effect.isNothing else {
            return effects.putAside(&scope)
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
        case .dispatch(let send) where effect.isBare && isShort(context):
            scope.hold()
            dispatches.append(EffectTurn.Dispatch(scope: scope, send: send))
        default:
            effects.begin(effect, in: scope)
        }
    }

    private func scope(
        of reaction: Reaction, _ version: Version, at address: Address, _ life: EffectLife?
    ) -> EffectScope {
        if life == nil, let scope = effects.takeSpareScope() {
            scope.take(up: self, at: address, startedBy: version, order: reaction.order)
            return scope
        }
        return EffectScope(
            engine: self, kind: .action, life: life, address: address, action: nil,
            startedBy: version, order: reaction.order)
    }

    // MARK: Instances

    /// The instances that an address names, whose lives are looked after from here on.
    ///
    /// The commit names them, and not the caller of the answers later: meanwhile an instance may have gone
    /// and another one have come to its address. Under the lock.
    private func instances(at place: Place, of address: Address) -> [EffectCue.Instance] {
        let addresses = place.instances(of: address, in: root)
        guard place.finder != nil else {
            return addresses.map { EffectCue.Instance(address: $0, life: nil) }
        }
        return addresses.map { address in
            let life = EffectLife(of: place, address)
            owners.add(life, in: root)
            return EffectCue.Instance(address: address, life: life)
        }
    }

    /// The life of the instance that is at an address now; nil when there is none.
    func life(at place: Place, _ address: Address) -> EffectLife? {
        whole {
            guard place.contains(address, in: root) else { return nil }
            let life = EffectLife(of: place, address)
            owners.add(life, in: root)
            return life
        }
    }

    /// Looks after a life no more, as nobody needs it.
    func forget(_ life: EffectLife) {
        leaveUnderLock { owners.remove(life) }
    }

    /// The instance of a scope; nil when it is gone.
    func instance<Slice>(at place: Place, of scope: EffectScope) -> Slice? {
        whole {
            scope.life?.lease.isOver == true
                ? nil : place.value(of: scope.address, in: root, as: Slice.self)
        }
    }

    /// What keeps the effects alive that the program's `While`s say should live, instead of what did so
    /// for the one before, which is returned.
    ///
    /// Under the lock, in which the program is replaced too, so that no two programs mix.
    func watchState() -> (old: [WhileWatch], new: [WhileWatch]) {
        let new = program.whiles.map { $0.watch(in: self, isPaused: areEffectsPaused) }
        return (effects.exchange(new), new)
    }
}
