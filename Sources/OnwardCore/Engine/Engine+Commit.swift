// SPDX-License-Identifier: MIT

// The ways of an action that cost more than the plain one, and the ways on which it does not
// arrive.

extension Engine {
    /// Sends an action through the middlewares of features, which the caller keeps.
    @inline(never)
    func runChain(of features: CompiledFeatures, _ dispatch: borrowing Dispatch) -> DispatchResult {
        ChainContext.with(self, features, dispatch) { chain in
            ThreadFrame.pushFirst(engine: id) { start(dispatch, chain, features.stages) }
                ?? runNestedChain(dispatch, chain, features.stages)
        }
    }

    /// Sends an action through the middlewares from inside something else.
    @inline(never)
    private func runNestedChain(
        _ dispatch: borrowing Dispatch, _ context: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        let outer = ThreadFrame.innermost(of: id)
        if outer?.kind == .replay { return refuseInsideReducer(dispatch) }
        let depth = (outer?.depth ?? 0) + 1
        let generation = (outer?.generation ?? -1) + 1
        // All that follow from one share a chain, however they come about.
        let chain =
            depth > 1 || generation > 0
            ? ThreadFrame.chain(of: id) ?? DispatchChain() : outer?.chain
        let left = options.limits.middlewareDepth - depth
        // Those that the first one dispatches are no answers to answers.
        let isAnswer = depth > 2 || generation > 1
        let remaining = withLock { locked in
            let remaining = isAnswer ? count(in: chain, left: left, locked) : left
            // What is committed in it must look for the frame.
            if remaining >= 0 { locked.state.callbacksInProgress += 1 }
            return remaining
        }
        guard remaining >= 0 else {
            return refuse(
                dispatch, after: chain,
                left < 0
                    ? Misuse.middlewareLoop(limit: options.limits.middlewareDepth)
                    : Misuse.middlewareLoop(total: options.limits.allAnswers))
        }
        defer { endCallback() }
        let link = link(dispatch, after: chain, remaining: remaining)
        return ThreadFrame.push(
            engine: id, version: outer?.version ?? 0, generation: outer?.generation ?? -1,
            depth: depth, chain: link, permit: outer?.permit
        ) { start(dispatch, context, stages) }
    }

    @inline(__always)
    private func start(
        _ dispatch: borrowing Dispatch, _ chain: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        let action = dispatch.action
        func open<A: Action>(_ type: A.Type) -> DispatchResult {
            start(Borrowed<A>.at(action).pointee, chain, stages)
        }
        return open(dispatch.type)
    }

    /// Not inlined: only a call passes a borrowed action on without copying it.
    @inline(never)
    private func start<A: Action>(
        _ action: borrowing Borrowed<A>, _ chain: UnsafePointer<ChainContext>, _ stages: Stages
    ) -> DispatchResult {
        MiddlewareStage.handle(action.value, at: stages.first, in: chain)
    }

    /// Commits an action that is just responded to, in a store that has nothing else to look after.
    @inline(never)
    func commitResponded(
        _ dispatch: borrowing Dispatch, into first: inout Delivery?, _ thread: UInt,
        _ locked: borrowing Locked
    ) -> Committed {
        guard let route = locked.state.features.respondedRoute(for: dispatch.type) else {
            return .withCare
        }
        let outcome = route.reduce(locked.state.root, dispatch)
        guard outcome == .reduced else { return .refused(refused(outcome, locked)) }
        let version = sealCommit(locked)
        let context = DeliveryContext(
            version: version, lastListener: locked.state.index.lastOrder)
        return submit(dispatch, by: route, context, into: &first, thread, locked)
    }

    /// Commits with everything that a store may have: a gate, observers, an end, nesting.
    @inline(never)
    func commitCarefully(_ dispatch: borrowing Dispatch, _ thread: UInt) -> DispatchResult {
        var question = CommitGateQuestion()
        var commit = LoggedCommit(origin: dispatch.origin)
        while true {
            var first: Delivery?
            let committed = withLock(as: thread) { locked -> Committed in
                if !question.isBegun {
                    question.begin(
                        inside: locked.state.callbacksInProgress > 0
                            ? ThreadFrame.place(of: id) : nil)
                }
                if question.outer?.pointee.kind == .replay { return .refused(.replaying) }
                // First, as gates are not asked about what can't come.
                if locked.state.isClosed { return .refused(.shutDown) }
                if question.isOpen(for: locked.state.gates) {
                    return prepare(&question, dispatch, locked)
                }
                if commit.needsPreparation(for: locked.state.commitLog) { return .withCare }
                return reduceCarefully(
                    dispatch, within: question.outer, &commit, into: &first, thread, locked)
            }
            if question.gates != nil {
                let pending = PendingCommit(
                    action: dispatch.boxed, address: dispatch.address, origin: dispatch.origin,
                    parent: question.outer?.pointee.entry)
                guard ask(&question, about: pending) else { return .withheld }
                continue
            }
            if commit.isUnprepared {
                prepare(&commit, thread)
                continue
            }
            notifyObservers(of: commit, thread)
            let result = follow(committed, first, dispatch, thread)
            if let passed = commit.passed {
                options.report(
                    .passedReducer(
                        dispatch.boxed.wireName, dispatch.type.actionName, to: dispatch.address,
                        passed.text, dispatch.origin))
            }
            return result
        }
    }

    /// What a commit is to be for observers, and what came of it.
    struct LoggedCommit {
        let origin: Origin
        /// When it was made; asked for outside the lock.
        var time: Timestamp?
        /// What has to be done outside the lock before the commit; each once.
        private(set) var needsTime = false
        private(set) var needsRoom = false
        private var hadRoom = false
        /// The observer that reads it first, on this thread.
        var step: CommitLog.Step?
        /// The reducer of a parent that the action passed.
        var passed: [PathStep]?

        init(origin: Origin) {
            self.origin = origin
        }

        var isUnprepared: Bool { needsTime || needsRoom }

        /// Whether something has to be done outside the lock before the commit.
        mutating func needsPreparation(for log: borrowing CommitLog) -> Bool {
            needsTime = time == nil && log.needs.contains(.time)
            needsRoom = !hadRoom && log.isFull
            return isUnprepared
        }

        mutating func prepared(at time: Timestamp?) {
            self.time = time ?? self.time
            hadRoom = hadRoom || needsRoom
            (needsTime, needsRoom) = (false, false)
        }
    }

    func prepare(_ commit: inout LoggedCommit, _ thread: UInt) {
        if commit.needsRoom { makeRoomInLog(thread) }
        commit.prepared(at: commit.needsTime ? options.wallClock() : nil)
    }

    func notifyObservers(of commit: borrowing LoggedCommit, _ thread: UInt) {
        if let step = commit.step { notifyObservers(from: step, thread) }
    }

    /// Reduces with all that observers, participants and limits want of it.
    private func reduceCarefully(
        _ dispatch: borrowing Dispatch, within outer: UnsafePointer<ThreadFrame>?,
        _ commit: inout LoggedCommit, into first: inout Delivery?, _ thread: UInt,
        _ locked: borrowing Locked
    ) -> Committed {
        if let permit = outer?.pointee.permit, permit.isOver { return .refused(.expired) }
        let position = chainPosition(within: outer, locked)
        guard position.remaining >= 0 else { return .refused(.tooDeep(position)) }
        guard let route = locked.state.features.route(for: dispatch.type) else {
            return .refused(refused(.unhandled, locked))
        }
        let (root, stateType) = (locked.state.root, locked.state.stateType)
        let needs = locked.state.commitLog.needs
        let before = needs.contains(.before) ? ValueCopy(of: root, stateType) : nil
        let stopwatch = needs.contains(.duration) ? Stopwatch(ContinuousClock()) : nil
        let mark = locked.state.reductionMark
        mark?.begin(locked.state.version + 1, route.name, commit.origin)
        let outcome = route.reduce(root, dispatch)
        mark?.end(locked.state.version + (outcome == .reduced ? 1 : 0))
        guard outcome == .reduced else { return .refused(refused(outcome, locked)) }
        let duration = stopwatch?.elapsed()
        commit.passed = route.passedParent(to: dispatch.address, locked)
        let chain = link(dispatch, after: position.chain, remaining: position.remaining)
        let version = sealCommit(locked, &commit.step, thread) { version in
            ErasedCommit(
                Entry(
                    version: version, action: dispatch.boxed, address: dispatch.address,
                    parent: outer?.pointee.entry, origin: commit.origin, time: commit.time,
                    duration: duration),
                before: before, after: stateForObservers(locked), generation: position.generation,
                chain: chain)
        }
        let context = DeliveryContext(
            version: version, lastListener: locked.state.index.lastOrder,
            generation: position.generation, chain: chain)
        return submit(dispatch, by: route, context, into: &first, thread, locked)
    }

    /// The state for the commit log, where an observer needs it.
    private func stateForObservers(_ locked: borrowing Locked) -> ValueCopy? {
        locked.state.commitLog.needs.contains(.after) ? locked.copyState() : nil
    }

    /// Ends a commit, and writes what observers read; `step` is what this thread notifies first.
    func sealCommit(
        _ locked: borrowing Locked, _ step: inout CommitLog.Step?, _ thread: UInt,
        _ commit: (Version) -> ErasedCommit
    ) -> Version {
        let version = sealCommit(locked)
        guard locked.state.commitLog.hasReaders else { return version }
        locked.state.commitLog.append(commit(version))
        step = beginObserving(thread, upTo: .max, locked)
        return version
    }

    /// Submits an action that was reduced, for its delivery.
    private func submit(
        _ dispatch: borrowing Dispatch, by route: Route, _ context: DeliveryContext,
        into first: inout Delivery?, _ thread: UInt, _ locked: borrowing Locked
    ) -> Committed {
        let groups = route.isWatched(in: locked.state.index) ? route.watchers : []
        first = submit(Delivery(context, groups: groups), of: dispatch, by: route, thread, locked)
        return .committed(context.version)
    }

    // MARK: Chains of answers

    /// Where a commit stands in a chain of subscribers that answer each other.
    struct ChainPosition {
        let generation: Int
        let chain: DispatchChain?
        /// How many more the limits leave.
        let remaining: Int
        /// Whether it is the length of the chain that is at its limit.
        let isTooLong: Bool
    }

    /// Where a commit stands that is made within a frame.
    func chainPosition(
        within outer: UnsafePointer<ThreadFrame>?, _ locked: borrowing Locked
    ) -> ChainPosition {
        let generation = (outer?.pointee.generation ?? -1) + 1
        let chain = generation > 0 ? ThreadFrame.chain(of: id) : outer?.pointee.chain
        let left = options.limits.generations - generation
        // What came through middlewares was counted there.
        let counts = generation > 1 && outer?.pointee.depth == 0
        let remaining = counts ? count(in: chain, left: left, locked) : left
        return ChainPosition(
            generation: generation, chain: chain, remaining: remaining, isTooLong: left < 0)
    }

    /// The chain with one more action, which is kept only for the last links before a limit.
    func link(
        _ dispatch: borrowing Dispatch, after chain: DispatchChain?, remaining: Int
    ) -> DispatchChain? {
        guard let chain, remaining < Self.reportedActions else { return chain }
        return DispatchChain(dispatch.boxed, after: chain)
    }

    /// Counts an answer to an answer; returns how many more there may be, of `left` by another limit.
    func count(in chain: DispatchChain?, left: Int, _ locked: borrowing Locked) -> Int {
        guard let chain else { return left }
        chain.beginning.answers += 1
        return min(left, options.limits.allAnswers - chain.beginning.answers)
    }

    /// Whether the chain that a commit belongs to is short enough to go on without a task.
    ///
    /// A responder may dispatch forever, which is no mistake as long as no thread has to wait for it. So after a
    /// while it dispatches in a task, with which a chain begins anew, long before it counts as a loop or the stack
    /// ends.
    package func isShort(_ context: DeliveryContext) -> Bool {
        guard context.generation < min(16, options.limits.generations / 2) else { return false }
        guard let chain = context.chain else { return true }
        return withLock { _ in chain.beginning.answers < min(1_000, options.limits.allAnswers / 2) }
    }

    /// How many actions of a loop are remembered.
    private static let reportedActions = 20

    // MARK: Refusals

    @inline(never)
    func refuseInsideReducer(_ dispatch: borrowing Dispatch) -> DispatchResult {
        options.report(.dispatchInsideReducer(dispatch.boxed.wireName, dispatch.origin))
        return .refused(.insideReducer)
    }

    /// Why an action was not reduced.
    enum Refused {
        /// A slice or a row on the way to each of its reducers is absent.
        case absent
        case unhandled(by: CompiledFeatures)
        case shutDown
        /// What dispatched it has ended.
        case expired
        /// Its dispatcher is a reducer that runs again on another state.
        case replaying
        /// Subscribers answer each other without an end.
        case tooDeep(ChainPosition)
        /// Gates dispatch without an end.
        case commitGateLoop(DispatchChain?)
        /// Gates decide anew whenever they are asked.
        case endlessTurns(DispatchChain?)
    }

    /// Why an action was not reduced, of which its route says so.
    func refused(_ outcome: Route.Outcome, _ locked: borrowing Locked) -> Refused {
        if outcome == .absent {
            locked.state.absences += 1
            return .absent
        }
        return locked.state.isClosed ? .shutDown : .unhandled(by: locked.state.features)
    }

    /// Says what becomes of an action that was not reduced, and reports mistakes.
    @inline(never)
    func refuse(_ refused: Refused, _ dispatch: borrowing Dispatch) -> DispatchResult {
        switch refused {
        case .absent: return .refused(.absent)
        case .shutDown: return .refused(.shutDown)
        case .expired: return .refused(.expired)
        case .replaying: return refuseInsideReducer(dispatch)
        case .unhandled(let features):
            options.report(
                .unhandledAction(
                    dispatch.boxed.wireName, address: dispatch.address,
                    places: features.route(for: dispatch.type)?.places ?? [],
                    known: features.actions.names, dispatch.origin
                ))
            return .refused(.unhandled)
        case .tooDeep(let position):
            return refuse(
                dispatch, after: position.chain,
                position.isTooLong
                    ? Misuse.subscriberLoop(limit: options.limits.generations)
                    : Misuse.subscriberLoop(total: options.limits.allAnswers))
        case .commitGateLoop(let chain):
            return refuse(
                dispatch, after: chain,
                Misuse.commitGateLoop(limit: options.limits.middlewareDepth))
        case .endlessTurns(let chain):
            return refuse(dispatch, after: chain, Misuse.endlessTurns)
        }
    }

    /// Refuses an action with which a chain is too long, and reports that once for all its branches.
    @inline(never)
    private func refuse(
        _ dispatch: borrowing Dispatch, after chain: DispatchChain?,
        _ misuse: (_ names: [String]) -> Misuse
    ) -> DispatchResult {
        let link = DispatchChain(dispatch.boxed, after: chain ?? DispatchChain())
        let isKnown = withLock { _ in
            defer { link.beginning.isReported = true }
            return link.beginning.isReported
        }
        if !isKnown { options.report(misuse(link.names(Self.reportedActions))) }
        return .refused(.tooDeep)
    }
}
