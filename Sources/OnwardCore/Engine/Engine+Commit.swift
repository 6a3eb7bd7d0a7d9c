// SPDX-License-Identifier: MIT

// The ways of an action that cost more than the plain one.

extension Engine {
    /// Commits an action that is logged or responded to, in a store that has nothing else to look after.
    ///
    /// The time is asked for outside the lock: `.untimed` where it is needed and not there.
    @inline(never)
    func commitLoggedOrResponded(
        _ dispatch: borrowing Dispatch, on route: Unmanaged<Route>, at time: Timestamp?,
        _ isMine: inout Bool, _ thread: UInt, _ locked: borrowing Locked
    ) -> Committed {
        guard locked.state.isPlainButLogged,
            route._withUnsafeGuaranteedRef({ $0.isReached(at: dispatch.address, locked) })
        else { return .withCare }
        if time == nil, !locked.state.commitLog.needs.isEmpty { return .untimed }
        // The features keep the route, as in a plain commit.
        let outcome = route._withUnsafeGuaranteedRef { $0.reduce(locked.state.root, dispatch) }
        guard outcome == .reduced else { return .refused(refused(outcome, locked)) }
        guard !locked.state.commitLog.hasReaders else {
            return seal(
                dispatch, at: CommitPlace(time: time), of: route, &isMine, thread, locked)
        }
        let version = grow(locked)
        isMine = submit(
            dispatch, by: route, DeliveryContext(version: version), thread, locked)
        return .committed(version)
    }

    /// Ends the commit of an action that was reduced on a route.
    @inline(__always)
    private func seal(
        _ dispatch: borrowing Dispatch, at place: CommitPlace, of route: Unmanaged<Route>,
        _ isMine: inout Bool, _ thread: UInt, _ locked: borrowing Locked
    ) -> Committed {
        seal(dispatch, .action, at: place, thread, locked) { context in
            isMine = submit(dispatch, by: route, context, thread, locked)
        }
    }

    /// Commits an action of which an observer needs the time.
    @inline(never)
    func commitTimed(_ dispatch: borrowing Dispatch, _ thread: UInt) -> DispatchResult {
        let time = options.wallClock()
        var isMine = false
        let committed = withLock(as: thread) { locked in
            guard let route = locked.state.routes.find(dispatch.type) else {
                return Committed.withCare
            }
            return commitLoggedOrResponded(dispatch, on: route, at: time, &isMine, thread, locked)
        }
        return follow(committed, isMine, dispatch, thread)
    }

    /// Commits with everything that a store may have: a gate, observers, an end, nesting.
    @inline(never)
    func commitCarefully(_ dispatch: borrowing Dispatch, _ thread: UInt) -> DispatchResult {
        var question = CommitGateQuestion()
        var commit = LoggedCommit()
        while true {
            var isMine = false
            let committed = withLock(as: thread) { locked -> Committed in
                if !question.isBegun {
                    question.begin(
                        inside: locked.state.callbacksInProgress > 0
                            ? ThreadFrame.place(of: id) : nil)
                }
                if question.outer?.frame.kind == .replay { return .refused(.replaying) }
                // First, as gates are not asked about what can't come.
                if locked.state.isClosed { return .refused(.shutDown) }
                if question.isOpen(for: locked.state.gates) {
                    return prepare(&question, dispatch, locked)
                }
                if commit.needsPreparation(for: dispatch, within: question.outer, locked) {
                    return .withCare
                }
                return reduceCarefully(
                    dispatch, within: question.outer, &commit, &isMine, thread, locked)
            }
            if question.gates != nil {
                let pending = PendingCommit(
                    action: dispatch.boxed, address: dispatch.address, origin: dispatch.origin,
                    parent: question.outer?.frame.entry)
                guard ask(&question, about: pending) else { return .withheld }
                continue
            }
            if commit.isUnprepared {
                prepare(&commit, thread)
                continue
            }
            let result = follow(committed, isMine, dispatch, thread)
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
    struct LoggedCommit: ~Copyable {
        /// When it was made; asked for outside the lock.
        var time: Timestamp?
        /// What its reducers are given; drawn outside the lock.
        private(set) var stamp: Stamp?
        /// What has to be done outside the lock before the commit; each once.
        private(set) var needsTime = false
        private(set) var needsStamp = false
        private(set) var needsRoom = false
        private var hadRoom = false
        /// The reducer of a parent that the action passed.
        var passed: [PathStep]?

        var isUnprepared: Bool { needsTime || needsRoom || needsStamp }

        /// Whether something has to be done outside the lock before an action can be reduced.
        mutating func needsPreparation(
            for dispatch: borrowing Dispatch, within outer: EnclosingFrame?,
            _ locked: borrowing Locked
        ) -> Bool {
            if let given = outer?.frame.stamp { stamp = given }
            needsStamp =
                stamp == nil
                && locked.state.features.route(for: dispatch.type)?.asksForStamp == true
            return needsPreparation(for: locked.state.commitLog) || needsStamp
        }

        /// Whether something has to be done outside the lock before the commit.
        mutating func needsPreparation(for log: borrowing CommitLog) -> Bool {
            needsTime = time == nil && log.needs.contains(.time)
            needsRoom = !hadRoom && log.isFull
            return isUnprepared
        }

        mutating func prepared(at time: Timestamp?, with stamp: Stamp?) {
            self.time = time ?? self.time
            self.stamp = stamp ?? self.stamp
            hadRoom = hadRoom || needsRoom
            (needsTime, needsRoom, needsStamp) = (false, false, false)
        }
    }

    func prepare(_ commit: inout LoggedCommit, _ thread: UInt) {
        if commit.needsRoom { makeRoomInLog(thread) }
        let time = commit.needsTime || commit.needsStamp ? options.wallClock() : nil
        let stamp =
            commit.needsStamp
            ? Stamp(
                from: options.givenIDs, at: commit.time ?? time ?? options.wallClock(),
                by: ActionAuthor.current) : nil
        commit.prepared(at: commit.needsTime ? time : nil, with: stamp)
    }

    /// Reduces with all that observers, participants and limits want of it.
    private func reduceCarefully(
        _ dispatch: borrowing Dispatch, within outer: EnclosingFrame?,
        _ commit: inout LoggedCommit, _ isMine: inout Bool, _ thread: UInt,
        _ locked: borrowing Locked
    ) -> Committed {
        if let permit = outer?.frame.permit, permit.isOver { return .refused(.expired) }
        let position = chainPosition(within: outer, locked)
        guard position.remaining >= 0 else { return .refused(.tooDeep(position)) }
        guard let route = locked.state.features.route(for: dispatch.type) else {
            return .refused(refused(.unhandled, locked))
        }
        let (root, stateType) = (locked.state.root, locked.state.stateType)
        let needs = locked.state.commitLog.needs
        let before = needs.contains(.before) ? ValueCopy(of: root, stateType) : nil
        let stopwatch = needs.contains(.duration) ? Stopwatch.ofRealTime() : nil
        let mark = locked.state.reductionMark
        mark?.begin(locked.state.version + 1, route.name, dispatch.origin)
        let isRecorded = outer?.frame.kind == .recorded
        if !isRecorded, let failure = route.failure(in: root, dispatch) {
            mark?.end(locked.state.version)
            return .refused(
                .failedCheck(failure, at: locked.state.version, of: locked.state.features))
        }
        let outcome = route.reduce(root, dispatch, commit.stamp)
        mark?.end(locked.state.version + (outcome == .reduced ? 1 : 0))
        guard outcome == .reduced else { return .refused(refused(outcome, locked)) }
        let duration = stopwatch?.elapsed()
        commit.passed = route.passedParent(to: dispatch.address, locked)
        let chain = link(dispatch, after: position.chain, remaining: position.remaining)
        return seal(
            dispatch,
            at: CommitPlace(
                outer: outer, position: position, chain: chain, time: commit.time,
                duration: duration, before: before, stamp: commit.stamp),
            of: .passUnretained(route), &isMine, thread, locked)
    }
}
