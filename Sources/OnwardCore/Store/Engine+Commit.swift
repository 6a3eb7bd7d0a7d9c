// SPDX-License-Identifier: MIT

// The ways of an action that cost more than the plain one, and the ways on which it does not
// arrive. Wherever a function says that it releases the lock, its caller holds it.

extension Engine {
    /// Sends an action through the middlewares.
    ///
    /// Releases the lock.
    @inline(never)
    func runChain(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, _ thread: UInt
    ) -> DispatchResult {
        // Kept, as it may be replaced meanwhile; then it is let go of here, outside the lock.
        let program = program
        return withExtendedLifetime(program) {
            ChainContext.with(self, program, address, origin, here) { chain in
                let result = ThreadFrame.pushFirst(engine: id) {
                    lock.release()
                    return start(type, action, chain, program.stages)
                }
                return result ?? runNestedChain(type, action, chain, program.stages)
            }
        }
    }

    /// Sends an action through the middlewares from inside something else.
    ///
    /// Releases the lock.
    @inline(never)
    private func runNestedChain(
        _ type: any Action.Type, _ action: UnsafeRawPointer,
        _ context: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        let outer = ThreadFrame.innermost(of: id)
        if outer?.kind == .replay {
            return refuseInsideReplay(type, action, context.pointee.origin)
        }
        let depth = (outer?.depth ?? 0) + 1
        let generation = (outer?.generation ?? -1) + 1
        // All that follow from one share a chain, however they come about.
        let chain =
            depth > 1 || generation > 0 ? ThreadFrame.chain(of: id) ?? Cause() : outer?.cause
        let left = options.limits.middlewareDepth - depth
        // Those that the first one dispatches are no answers to answers.
        let isAnswer = depth > 2 || generation > 1
        let remaining = isAnswer ? count(in: chain, left: left) : left
        if remaining < 0 {
            return refuse(
                type, action, after: chain,
                left < 0
                    ? Misuse.middlewareLoop(limit: options.limits.middlewareDepth)
                    : Misuse.middlewareLoop(total: options.limits.allAnswers))
        }
        // What is committed in it must look for the frame.
        callouts += 1
        lock.release()
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
            start(Lent<A>.at(action).pointee, chain, stages)
        }
        return open(type)
    }

    /// Not inlined: only a call passes a lent action on without copying it.
    @inline(never)
    private func start<A: Action>(
        _ action: borrowing Lent<A>, _ chain: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        MiddlewareStage.handle(action.value, at: stages.first, in: chain)
    }

    /// Commits with everything that a store may have: a timeline, observers, an end, nesting.
    ///
    /// Releases the lock.
    @inline(never)
    func commitCarefully(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, _ thread: UInt
    ) -> DispatchResult {
        if isPlain, let route = program.respondedRoute(for: type) {
            return commitResponded(
                by: route, type, action, to: address, from: origin, on: here, thread)
        }
        let outer = callouts > 0 ? ThreadFrame.innermost(of: id) : nil
        if outer?.kind == .replay { return refuseInsideReplay(type, action, origin) }
        let parent = outer?.entry
        if !timelines.isEmpty {
            let proposal = Proposal(
                action: box(action, as: type), address: address, origin: origin, parent: parent)
            if let result = ask(about: proposal, within: outer, type, action, thread) {
                return result
            }
        }
        if isClosed {
            lock.release()
            return .refused(.shutDown)
        }
        if let permit = outer?.permit, permit.isOver {
            lock.release()
            return .refused(.expired)
        }
        let answer = answer(within: outer)
        guard answer.remaining >= 0 else { return refuse(type, action, answer) }
        guard let route = program.route(for: type) else {
            return refuse(.unhandled, type, action, address, origin)
        }
        let before = needs.contains(.before) ? ValueCopy(of: root, stateType) : nil
        let stopwatch = needs.contains(.duration) ? Stopwatch(options.clock) : nil
        let outcome = route.reduce(root, action, as: type, to: address)
        guard outcome == .reduced else {
            return refuse(outcome, type, action, address, origin)
        }
        let duration = stopwatch?.elapsed()
        let passed = route.passedParent(to: address)
        version += 1
        let version = version
        let commit = commitForObservers(
            .action, action: needs.isEmpty ? nil : box(action, as: type), address: address,
            parent: parent, origin: origin, before: before, duration: duration)
        let context = DeliveryContext(
            version: version, lastListener: index.lastOrder, generation: answer.generation,
            cause: cause(type, action, after: answer.chain, remaining: answer.remaining))
        tell(
            commit, type, action, to: address, by: route, context, on: here, thread)
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
    /// Releases the lock.
    private func commitResponded(
        by route: Route, _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, _ thread: UInt
    ) -> DispatchResult {
        let outcome = route.reduce(root, action, as: type, to: address)
        guard outcome == .reduced else { return refuse(outcome, type, action, address, origin) }
        version += 1
        let version = version
        let context = DeliveryContext(version: version, lastListener: index.lastOrder)
        tell(nil, type, action, to: address, by: route, context, on: here, thread)
        return .accepted(version)
    }

    /// Tells of an action that was reduced, from the stack where nothing waits and no observer wants it.
    ///
    /// Releases the lock.
    @inline(__always)
    private func tell(
        _ commit: ErasedCommit?, _ type: any Action.Type, _ action: UnsafeRawPointer,
        to address: Address, by route: Route, _ context: DeliveryContext, on here: (any Actor)?,
        _ thread: UInt
    ) {
        let groups = route.isWatched(in: index) ? route.watchers : []
        if commit == nil,
            tellDirectly(type, action, to: address, by: route, context, groups, on: here, thread)
        {
            return
        }
        let reduced = ReducedAction(
            route: route, type: type, pointer: action, address: address, version: context.version)
        tell(
            Delivery(context, commit: commit, groups: groups, parts: parts(of: reduced)),
            on: here, thread)
    }

    /// Asks the timelines about an action; nil when it is accepted, and the lock is held.
    ///
    /// They are asked outside the lock, so their answer counts only while its turn lasts; otherwise
    /// an action could land on a state that was installed meanwhile. One that takes a new turn whenever
    /// it is asked is asked no more after a while.
    ///
    /// Releases the lock otherwise.
    private func ask(
        about proposal: Proposal, within outer: ThreadFrame?, _ type: any Action.Type,
        _ action: UnsafeRawPointer, _ thread: UInt
    ) -> DispatchResult? {
        let depth = (outer?.depth ?? 0) + 1
        let chain = depth > 1 ? ThreadFrame.chain(of: id) ?? Cause() : outer?.cause
        let left = options.limits.middlewareDepth + 1 - depth
        let remaining = depth > 1 ? count(in: chain, left: left) : left
        guard remaining >= 0 else {
            return refuse(
                type, action, after: chain,
                Misuse.timelineLoop(limit: options.limits.middlewareDepth))
        }
        let cause = cause(type, action, after: chain, remaining: remaining)
        var attempts = 0
        while !timelines.isEmpty {
            let turn = timelines.turn
            // The last reference to one that leaves meanwhile goes before the lock is taken again.
            var judges: [TimelineJudge]? = timelines.judges
            callouts += 1
            lock.release()
            let verdict = ThreadFrame.push(
                engine: id, version: outer?.version ?? 0, generation: outer?.generation ?? -1,
                depth: depth, cause: cause, permit: outer?.permit
            ) { judges.take().map { $0.judge(proposal) } }
            endCallout()
            if verdict == .withhold { return .withheld }
            lock.acquire(as: thread)
            attempts += 1
            if turn == timelines.turn || attempts == 1_000 { break }
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

    /// Where a commit stands that is made within a frame; under the lock.
    private func answer(within outer: ThreadFrame?) -> Answer {
        let generation = (outer?.generation ?? -1) + 1
        let chain = generation > 0 ? ThreadFrame.chain(of: id) : outer?.cause
        let left = options.limits.generations - generation
        // What came through middlewares was counted there.
        let counts = generation > 1 && outer?.depth == 0
        let remaining = counts ? count(in: chain, left: left) : left
        return Answer(
            generation: generation, chain: chain, remaining: remaining, isTooLong: left < 0)
    }

    /// Refuses a commit with which a chain of subscribers is too long; releases the lock.
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
        _ state: UnsafeRawPointer, resuming isLive: Bool, by judge: TimelineJudge,
        from origin: Origin, on here: (any Actor)?
    ) -> Version? {
        let thread = CurrentThread.id
        guard enter(thread) else { return nil }
        guard timelines.contains(judge), !isClosed else {
            lock.release()
            return nil
        }
        let outer = callouts > 0 ? ThreadFrame.innermost(of: id) : nil
        let answer = answer(within: outer)
        var travel = Travel()
        guard answer.remaining >= 0 else {
            _ = refuse(Travel.self, &travel, answer)
            return nil
        }
        // Also kept so that what goes with the old state may use the store.
        let before = ValueCopy(of: root, stateType)
        defer { withExtendedLifetime(before) {} }
        stateType.assign(root, from: state)
        timelines.reconsider(judge, isLive ? .live : .travelled)
        version += 1
        let version = version
        let commit = commitForObservers(
            .travel, action: travel, address: .root, parent: outer?.entry, origin: origin,
            before: needs.contains(.before) ? before : nil, duration: nil)
        tell(
            Delivery(
                DeliveryContext(
                    version: version, lastListener: index.lastOrder,
                    generation: answer.generation,
                    cause: cause(
                        Travel.self, &travel, after: answer.chain, remaining: answer.remaining)),
                commit: commit, groups: index.groups, parts: parts(of: timelines.state)),
            on: here, thread)
        return version
    }

    private func commitForObservers(
        _ kind: Entry.Kind, action: (any Action)?, address: Address, parent: Version?,
        origin: Origin, before: ValueCopy?, duration: Duration?
    ) -> ErasedCommit? {
        guard let action, !needs.isEmpty else { return nil }
        let entry = Entry(
            version: version, kind: kind, action: action, address: address, parent: parent,
            origin: origin, time: needs.contains(.time) ? options.wallClock() : nil,
            duration: duration)
        return ErasedCommit(
            entry, before: before,
            after: needs.contains(.after) ? ValueCopy(of: root, stateType) : nil)
    }

    /// The chain with one more action, which is kept only for the last links before a limit.
    private func cause(
        _ type: any Action.Type, _ action: UnsafeRawPointer, after chain: Cause?, remaining: Int
    ) -> Cause? {
        guard let chain, remaining < Self.reportedCauses else { return chain }
        return Cause(box(action, as: type), after: chain)
    }

    /// Counts an answer to an answer; returns how many more there may be, of `left` by another limit.
    ///
    /// Under the lock.
    private func count(in chain: Cause?, left: Int) -> Int {
        guard let chain else { return left }
        chain.loop.answers += 1
        return min(left, options.limits.allAnswers - chain.loop.answers)
    }

    /// Whether the chain that a commit belongs to is short enough to go on without a task.
    ///
    /// What responds may dispatch for ever, which is no mistake as long as it keeps nobody. So after a while
    /// it does so in a task, with which a chain begins anew, long before it counts as a loop or the stack ends.
    package func isShort(_ context: DeliveryContext) -> Bool {
        guard context.generation < min(16, options.limits.generations / 2) else { return false }
        guard let chain = context.cause else { return true }
        return lock.withLock { chain.loop.answers < min(1_000, options.limits.allAnswers / 2) }
    }

    /// How many actions of a loop are remembered.
    private static let reportedCauses = 20

    // MARK: Refusals

    /// Takes the lock for something that must not happen inside a reducer; false there.
    func enter(_ thread: UInt) -> Bool {
        if lock.isOwned(by: thread) {
            options.misuse(.readInsideReducer(stateType.name))
            return false
        }
        lock.acquire(as: thread)
        return true
    }

    @inline(never)
    func refuseInsideReducer(
        _ type: any Action.Type, _ action: UnsafeRawPointer, _ origin: Origin
    ) -> DispatchResult {
        options.misuse(.dispatchInsideReducer(box(action, as: type).wireName, origin))
        return .refused(.insideReducer)
    }

    /// Refuses what a reducer dispatches that a replay runs; releases the lock.
    @inline(never)
    private func refuseInsideReplay(
        _ type: any Action.Type, _ action: UnsafeRawPointer, _ origin: Origin
    ) -> DispatchResult {
        lock.release()
        return refuseInsideReducer(type, action, origin)
    }

    /// Refuses what nobody handled.
    ///
    /// Releases the lock.
    @inline(never)
    func refuse(
        _ outcome: Route.Outcome, _ type: any Action.Type, _ action: UnsafeRawPointer,
        _ address: Address, _ origin: Origin
    ) -> DispatchResult {
        if outcome == .absent {
            absences += 1
            lock.release()
            return .refused(.absent)
        }
        let isClosed = isClosed
        let program = program
        lock.release()
        if isClosed { return .refused(.shutDown) }
        options.misuse(
            .unhandledAction(
                box(action, as: type).wireName, address: address,
                places: program.route(for: type)?.places ?? [], known: program.actions.names, origin
            ))
        return .refused(.unhandled)
    }

    /// Refuses an action with which a chain is too long, and reports that once for all its branches.
    ///
    /// Releases the lock.
    @inline(never)
    private func refuse(
        _ type: any Action.Type, _ action: UnsafeRawPointer, after chain: Cause?,
        _ misuse: (_ names: [String]) -> Misuse
    ) -> DispatchResult {
        let cause = Cause(box(action, as: type), after: chain ?? Cause())
        let isKnown = cause.loop.isReported
        cause.loop.isReported = true
        lock.release()
        if !isKnown { options.misuse(misuse(cause.names(Self.reportedCauses))) }
        return .refused(.tooDeep)
    }
}
