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
        let mayReact = !areEffectsPaused && !route.reactions.isEmpty
        let reactions =
            mayReact
            ? route.reactions.map { ($0, instances(at: $0.place, of: address)) } : []
        guard !orphans.isEmpty || !reactions.isEmpty else { return nil }
        if mayReact { effects.expect(version) }
        return EffectCue(
            orphans: orphans, reactions: reactions, action: box(action, as: type))
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

    /// Does what a commit means for effects; by its deliverer, outside the lock.
    func begin(_ cue: EffectCue, of version: Version) {
        for orphan in cue.orphans { effects.cancel(orphan) }
        if cue.change == .pause { effects.pause() }
        guard let action = cue.action else { return }
        for (reaction, instances) in cue.reactions {
            for instance in instances { react(reaction, to: action, version, of: instance) }
        }
        if !cue.reactions.isEmpty { effects.reacted(to: version) }
    }

    private func react(
        _ reaction: Reaction, to action: any Action, _ version: Version,
        of instance: EffectCue.Instance
    ) {
        defer { instance.life?.letGo(self) }
        let scope = EffectScope(
            engine: self, kind: .action, life: instance.life, address: instance.address,
            action: action, startedBy: version, order: reaction.order)
        defer { scope.letGo() }
        guard let effect = reaction.effect(of: action, in: scope) else { return }
        effects.begin(effect, in: scope)
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
