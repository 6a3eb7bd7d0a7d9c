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
            ? route.reactions.map { ($0, $0.place.instances(of: address, in: root)) } : []
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
                version: version, lastListener: index.lastOrder, cue: EffectCue(change: change)),
            on: here, thread)
    }

    /// The timeline decides otherwise from here on.
    func reconsider(
        _ judge: TimelineJudge, _ change: EffectCue.Change, on here: (any Actor)?
    ) {
        lockForReading()
        guard timeline === judge else { return lock.release() }
        timelineTurn += 1
        tellEffects(change, on: here, CurrentThread.id)
    }

    /// Does what a commit means for effects; by who delivers it, outside the lock.
    func begin(_ cue: EffectCue, of version: Version) {
        for orphan in cue.orphans { effects.cancel(orphan) }
        if cue.change == .pause { effects.pause() }
        guard let action = cue.action else { return }
        for (reaction, instances) in cue.reactions {
            for address in instances { react(reaction, to: action, version, at: address) }
        }
        if !cue.reactions.isEmpty { effects.reacted(to: version) }
    }

    private func react(
        _ reaction: Reaction, to action: any Action, _ version: Version, at address: Address
    ) {
        let scope = EffectScope(
            engine: self, kind: .action, place: reaction.place, address: address, action: action,
            startedBy: version, order: reaction.order)
        defer { scope.letGo() }
        guard lookAfter(scope), let effect = reaction.effect(of: action, in: scope) else { return }
        effects.begin(effect, in: scope)
    }

    // MARK: Instances

    /// Notes that a scope must end with its instance; false when that is gone already.
    private func lookAfter(_ scope: EffectScope) -> Bool {
        guard scope.isMortal, let place = scope.place else { return true }
        return whole {
            guard place.contains(scope.address, in: root) else { return false }
            owners.add(scope, at: place, in: root)
            return true
        }
    }

    /// Forgets a scope whose effects have ended.
    func forget(_ scope: EffectScope) {
        guard scope.isMortal else { return }
        var old: EffectScope?
        leaveUnderLock { old = owners.remove(scope) }
        withExtendedLifetime(old) {}
    }

    /// The instance at a place, nil when it is gone.
    func instance<Slice>(at place: Place, _ address: Address) -> Slice? {
        whole { place.value(of: address, in: root, as: Slice.self) }
    }

    /// Keeps the effects alive that a program's `While`s say should live.
    func watchState(with program: Program) {
        let watches = program.whiles.map { $0.watch(in: self) }
        effects.watch(watches)
        if whole({ areEffectsPaused }) { for watch in watches { watch.pause() } }
        for watch in watches { watch.begin() }
    }
}
