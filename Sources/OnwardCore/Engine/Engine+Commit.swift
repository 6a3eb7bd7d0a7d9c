// SPDX-License-Identifier: MIT

// The ways of an action that cost more than the plain one, and the ways on which it does not
// arrive.

extension Engine {
    /// Sends an action through the middlewares of a program, which the caller keeps.
    @inline(never)
    func runChain(
        of features: CompiledFeatures, _ type: any Action.Type, _ action: UnsafeRawPointer,
        to address: Address, from origin: Origin, on here: (any Actor)?
    ) -> DispatchResult {
        ChainContext.with(self, features, address, origin, here) { chain in
            ThreadFrame.pushFirst(engine: id) { start(type, action, chain, features.stages) }
                ?? runNestedChain(type, action, chain, features.stages)
        }
    }

    /// Sends an action through the middlewares from inside something else.
    @inline(never)
    private func runNestedChain(
        _ type: any Action.Type, _ action: UnsafeRawPointer,
        _ context: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        let outer = ThreadFrame.innermost(of: id)
        if outer?.kind == .replay {
            return refuseInsideReducer(type, action, context.pointee.origin)
        }
        let depth = (outer?.depth ?? 0) + 1
        let generation = (outer?.generation ?? -1) + 1
        // All that follow from one share a chain, however they come about.
        let chain =
            depth > 1 || generation > 0 ? ThreadFrame.chain(of: id) ?? Cause() : outer?.cause
        let left = options.limits.middlewareDepth - depth
        // Those that the first one dispatches are no answers to answers.
        let isAnswer = depth > 2 || generation > 1
        let remaining = withLock { locked in
            let remaining = isAnswer ? count(in: chain, left: left, locked) : left
            // What is committed in it must look for the frame.
            if remaining >= 0 { locked.state.callouts += 1 }
            return remaining
        }
        guard remaining >= 0 else {
            return refuse(
                type, action, after: chain,
                left < 0
                    ? Misuse.middlewareLoop(limit: options.limits.middlewareDepth)
                    : Misuse.middlewareLoop(total: options.limits.allAnswers))
        }
        defer { endCallout() }
        let cause = cause(type, action, after: chain, remaining: remaining)
        return ThreadFrame.push(
            engine: id, version: outer?.version ?? 0, generation: outer?.generation ?? -1,
            depth: depth, cause: cause, permit: outer?.permit
        ) { start(type, action, context, stages) }
    }

    @inline(__always)
    private func start(
        _ type: any Action.Type, _ action: UnsafeRawPointer,
        _ chain: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        func open<A: Action>(_ type: A.Type) -> DispatchResult {
            start(Borrowed<A>.at(action).pointee, chain, stages)
        }
        return open(type)
    }

    /// Not inlined: only a call passes a borrowed action on without copying it.
    @inline(never)
    private func start<A: Action>(
        _ action: borrowing Borrowed<A>, _ chain: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        MiddlewareStage.handle(action.value, at: stages.first, in: chain)
    }

    /// Commits with everything that a store may have: a timeline, observers, an end, nesting.
    @inline(never)
    func commitCarefully(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, _ thread: UInt, _ locked: consuming Locked
    ) -> DispatchResult {
        if locked.state.isPlain, let route = locked.state.features.respondedRoute(for: type) {
            return commitResponded(
                by: route, type, action, to: address, from: origin, on: here, thread, locked)
        }
        let outer = locked.state.callouts > 0 ? ThreadFrame.innermost(of: id) : nil
        if outer?.kind == .replay {
            release(locked)
            return refuseInsideReducer(type, action, origin)
        }
        let parent = outer?.entry
        if !locked.state.timelines.isEmpty {
            let pending = PendingCommit(
                action: box(action, as: type), address: address, origin: origin, parent: parent)
            if let result = ask(about: pending, within: outer, type, action, thread, &locked) {
                release(locked)
                return result
            }
        }
        if locked.state.isClosed {
            release(locked)
            return .refused(.shutDown)
        }
        if let permit = outer?.permit, permit.isOver {
            release(locked)
            return .refused(.expired)
        }
        let answer = answer(within: outer, locked)
        guard answer.remaining >= 0 else {
            release(locked)
            return refuse(type, action, answer)
        }
        guard let route = locked.state.features.route(for: type) else {
            return refuse(.unhandled, type, action, address, origin, locked)
        }
        let (root, stateType) = (locked.state.root, locked.state.stateType)
        let before =
            locked.state.observers.needs.contains(.before) ? ValueCopy(of: root, stateType) : nil
        let stopwatch =
            locked.state.observers.needs.contains(.duration) ? Stopwatch(options.clock) : nil
        let outcome = route.reduce(root, action, as: type, to: address)
        guard outcome == .reduced else {
            return refuse(outcome, type, action, address, origin, locked)
        }
        let duration = stopwatch?.elapsed()
        let passed = route.passedParent(to: address, locked)
        locked.state.version += 1
        let version = locked.state.version
        let commit = commitForObservers(
            .action, action: locked.state.observers.needs.isEmpty ? nil : box(action, as: type),
            address: address, parent: parent, origin: origin, before: before, duration: duration,
            locked)
        let context = DeliveryContext(
            version: version, lastListener: locked.state.index.lastOrder,
            generation: answer.generation,
            cause: cause(type, action, after: answer.chain, remaining: answer.remaining))
        tell(commit, type, action, to: address, by: route, context, on: here, thread, locked)
        if let passed {
            options.misuse(
                .passedReducer(
                    box(action, as: type).wireName, type.actionName, to: address, passed.text,
                    origin))
        }
        return .accepted(version)
    }

    /// Commits an action that is just responded to, in a store that has nothing else to look after.
    ///
    /// Where nothing waits, the responders are called from the stack, with the action where it lies.
    private func commitResponded(
        by route: Route, _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, _ thread: UInt, _ locked: consuming Locked
    ) -> DispatchResult {
        let outcome = route.reduce(locked.state.root, action, as: type, to: address)
        guard outcome == .reduced else {
            return refuse(outcome, type, action, address, origin, locked)
        }
        locked.state.version += 1
        let version = locked.state.version
        let context = DeliveryContext(
            version: version, lastListener: locked.state.index.lastOrder)
        tell(nil, type, action, to: address, by: route, context, on: here, thread, locked)
        return .accepted(version)
    }

    /// Tells of an action that was reduced, from the stack where nothing waits and no observer wants it.
    @inline(__always)
    private func tell(
        _ commit: ErasedCommit?, _ type: any Action.Type, _ action: UnsafeRawPointer,
        to address: Address, by route: Route, _ context: DeliveryContext, on here: (any Actor)?,
        _ thread: UInt, _ locked: consuming Locked
    ) {
        let groups = route.isWatched(in: locked.state.index) ? route.watchers : []
        if commit == nil, let participant = claimDirect(by: route, context, thread, locked) {
            return tellDirectly(
                type, action, to: address, by: route, participant, context, groups, on: here,
                thread, locked)
        }
        let reduced = ReducedAction(
            route: route, type: type, pointer: action, address: address, version: context.version)
        let parts = parts(of: reduced, locked)
        tell(
            Delivery(context, commit: commit, groups: groups, parts: parts), on: here, thread,
            locked)
    }

    /// Asks the timelines about an action; nil when it is accepted.
    ///
    /// They are asked outside the lock, so their answer counts only while its turn lasts; otherwise
    /// an action could land on a state that was installed meanwhile. One that takes a new turn whenever
    /// it is asked is asked no more after a while.
    private func ask(
        about pending: PendingCommit, within outer: ThreadFrame?, _ type: any Action.Type,
        _ action: UnsafeRawPointer, _ thread: UInt, _ locked: inout Locked
    ) -> DispatchResult? {
        let depth = (outer?.depth ?? 0) + 1
        let chain = depth > 1 ? ThreadFrame.chain(of: id) ?? Cause() : outer?.cause
        let left = options.limits.middlewareDepth + 1 - depth
        let remaining = depth > 1 ? count(in: chain, left: left, locked) : left
        guard remaining >= 0 else {
            return unlocked(thread, &locked) {
                refuse(
                    type, action, after: chain,
                    Misuse.timelineLoop(limit: options.limits.middlewareDepth))
            }
        }
        let cause = cause(type, action, after: chain, remaining: remaining)
        var attempts = 0
        while !locked.state.timelines.isEmpty {
            let turn = locked.state.timelines.turn
            // The last reference to a timeline that leaves meanwhile goes before the lock is taken again.
            var attached: [AnyTimeline]? = locked.state.timelines.attached
            locked.state.callouts += 1
            let decision = unlocked(thread, &locked) {
                defer { endCallout() }
                return ThreadFrame.push(
                    engine: id, version: outer?.version ?? 0, generation: outer?.generation ?? -1,
                    depth: depth, cause: cause, permit: outer?.permit
                ) { attached.take().map { $0.decide(pending) } }
            }
            if decision == .withhold { return .withheld }
            attempts += 1
            if turn == locked.state.timelines.turn || attempts == 1_000 { break }
        }
        return nil
    }

    /// Where a commit stands in a chain of subscribers that answer each other.
    private struct Answer {
        let generation: Int
        let chain: Cause?
        /// How many more the limits leave.
        let remaining: Int
        /// Whether it is the length of the chain that is at its limit.
        let isTooLong: Bool
    }

    /// Where a commit stands that is made within a frame.
    private func answer(within outer: ThreadFrame?, _ locked: borrowing Locked) -> Answer {
        let generation = (outer?.generation ?? -1) + 1
        let chain = generation > 0 ? ThreadFrame.chain(of: id) : outer?.cause
        let left = options.limits.generations - generation
        // What came through middlewares was counted there.
        let counts = generation > 1 && outer?.depth == 0
        let remaining = counts ? count(in: chain, left: left, locked) : left
        return Answer(
            generation: generation, chain: chain, remaining: remaining, isTooLong: left < 0)
    }

    /// Refuses a commit with which a chain of subscribers is too long.
    private func refuse(
        _ type: any Action.Type, _ action: UnsafeRawPointer, _ answer: Answer
    ) -> DispatchResult {
        refuse(
            type, action, after: answer.chain,
            answer.isTooLong
                ? Misuse.subscriberLoop(limit: options.limits.generations)
                : Misuse.subscriberLoop(total: options.limits.allAnswers))
    }

    /// Makes the store show a state.
    func install(
        _ state: UnsafeRawPointer, resuming isLive: Bool, by timeline: AnyTimeline,
        from origin: Origin, on here: (any Actor)?
    ) -> Version? {
        let thread = CurrentThread.id
        guard let locked = acquireUnlessReducing(thread) else { return nil }
        guard locked.state.timelines.contains(timeline), !locked.state.isClosed else {
            release(locked)
            return nil
        }
        let outer = locked.state.callouts > 0 ? ThreadFrame.innermost(of: id) : nil
        let answer = answer(within: outer, locked)
        var travel = Travel()
        guard answer.remaining >= 0 else {
            release(locked)
            _ = refuse(Travel.self, &travel, answer)
            return nil
        }
        let (root, stateType) = (locked.state.root, locked.state.stateType)
        // Also kept so that what goes with the old state may use the store.
        let before = ValueCopy(of: root, stateType)
        defer { withExtendedLifetime(before) {} }
        stateType.assign(root, from: state)
        locked.state.timelines.reconsider(timeline, isLive ? .live : .travelled)
        locked.state.version += 1
        let version = locked.state.version
        let commit = commitForObservers(
            .travel, action: travel, address: .root, parent: outer?.entry, origin: origin,
            before: locked.state.observers.needs.contains(.before) ? before : nil, duration: nil,
            locked)
        let context = DeliveryContext(
            version: version, lastListener: locked.state.index.lastOrder,
            generation: answer.generation,
            cause: cause(Travel.self, &travel, after: answer.chain, remaining: answer.remaining))
        let parts = parts(of: locked.state.timelines.state, locked)
        tell(
            Delivery(context, commit: commit, groups: locked.state.index.groups, parts: parts),
            on: here, thread, locked)
        return version
    }

    private func commitForObservers(
        _ kind: Entry.Kind, action: (any Action)?, address: Address, parent: Version?,
        origin: Origin, before: ValueCopy?, duration: Duration?, _ locked: borrowing Locked
    ) -> ErasedCommit? {
        let needs = locked.state.observers.needs
        guard let action, !needs.isEmpty else { return nil }
        let entry = Entry(
            version: locked.state.version, kind: kind, action: action, address: address,
            parent: parent, origin: origin, time: needs.contains(.time) ? options.wallClock() : nil,
            duration: duration)
        return ErasedCommit(
            entry, before: before,
            after: needs.contains(.after)
                ? ValueCopy(of: locked.state.root, locked.state.stateType) : nil)
    }

    /// The chain with one more action, which is kept only for the last links before a limit.
    private func cause(
        _ type: any Action.Type, _ action: UnsafeRawPointer, after chain: Cause?, remaining: Int
    ) -> Cause? {
        guard let chain, remaining < Self.reportedCauses else { return chain }
        return Cause(box(action, as: type), after: chain)
    }

    /// Counts an answer to an answer; returns how many more there may be, of `left` by another limit.
    private func count(in chain: Cause?, left: Int, _ locked: borrowing Locked) -> Int {
        guard let chain else { return left }
        chain.loop.answers += 1
        return min(left, options.limits.allAnswers - chain.loop.answers)
    }

    /// Whether the chain that a commit belongs to is short enough to go on without a task.
    ///
    /// A responder may dispatch forever, which is no mistake as long as no thread has to wait for it. So after a
    /// while it dispatches in a task, with which a chain begins anew, long before it counts as a loop or the stack
    /// ends.
    package func isShort(_ context: DeliveryContext) -> Bool {
        guard context.generation < min(16, options.limits.generations / 2) else { return false }
        guard let chain = context.cause else { return true }
        return withLock { _ in chain.loop.answers < min(1_000, options.limits.allAnswers / 2) }
    }

    /// How many actions of a loop are remembered.
    private static let reportedCauses = 20

    // MARK: Refusals

    @inline(never)
    func refuseInsideReducer(
        _ type: any Action.Type, _ action: UnsafeRawPointer, _ origin: Origin
    ) -> DispatchResult {
        options.misuse(.dispatchInsideReducer(box(action, as: type).wireName, origin))
        return .refused(.insideReducer)
    }

    /// Refuses an action that no feature handled.
    @inline(never)
    func refuse(
        _ outcome: Route.Outcome, _ type: any Action.Type, _ action: UnsafeRawPointer,
        _ address: Address, _ origin: Origin, _ locked: consuming Locked
    ) -> DispatchResult {
        if outcome == .absent {
            locked.state.absences += 1
            release(locked)
            return .refused(.absent)
        }
        let isClosed = locked.state.isClosed
        let features = locked.state.features
        release(locked)
        if isClosed { return .refused(.shutDown) }
        options.misuse(
            .unhandledAction(
                box(action, as: type).wireName, address: address,
                places: features.route(for: type)?.places ?? [], known: features.actions.names,
                origin
            ))
        return .refused(.unhandled)
    }

    /// Refuses an action with which a chain is too long, and reports that once for all its branches.
    @inline(never)
    private func refuse(
        _ type: any Action.Type, _ action: UnsafeRawPointer, after chain: Cause?,
        _ misuse: (_ names: [String]) -> Misuse
    ) -> DispatchResult {
        let cause = Cause(box(action, as: type), after: chain ?? Cause())
        let isKnown = withLock { _ in
            defer { cause.loop.isReported = true }
            return cause.loop.isReported
        }
        if !isKnown { options.misuse(misuse(cause.names(Self.reportedCauses))) }
        return .refused(.tooDeep)
    }
}
