// SPDX-License-Identifier: MIT

// The plain way of an action: one lock, one look-up, one call of the reducer, one addition.

extension Engine {
    /// Takes an action through middleware, gate and reducers.
    @usableFromInline
    package func dispatch(_ dispatch: borrowing Dispatch) -> DispatchResult {
        let thread = CurrentThread.id
        if isReducing(thread) { return refuseInsideReducer(dispatch) }
        var features: CompiledFeatures?
        var isMine = false
        let committed = withLock(as: thread) { locked in
            guard locked.state.stageCount == 0 else {
                // Kept, as they may be replaced meanwhile.
                features = locked.state.features
                return Committed.withCare
            }
            return commit(dispatch, &isMine, thread, locked)
        }
        if let features {
            return withExtendedLifetime(features) { runChain(of: features, dispatch) }
        }
        return follow(committed, isMine, dispatch, thread)
    }

    /// The end of the middleware chain.
    @inline(never)
    func finish(_ dispatch: borrowing Dispatch) -> DispatchResult {
        let thread = CurrentThread.id
        if isReducing(thread) { return refuseInsideReducer(dispatch) }
        var isMine = false
        let committed = withLock(as: thread) { commit(dispatch, &isMine, thread, $0) }
        return follow(committed, isMine, dispatch, thread)
    }

    /// What came of a commit under the lock.
    enum Committed: ~Copyable {
        /// It was reduced.
        case committed(CommitVersion)
        /// The same, and this thread notifies an observer of it first.
        case logged(CommitVersion, CommitLog.Step)
        case refused(Refused)
        /// Nothing yet, as an observer needs the time.
        case untimed
        /// Nothing yet, as there is more to look after than reducers and subscribers.
        case withCare
    }

    /// Reduces, in the plain case; `isMine` says whether this thread makes the round for it.
    @inline(__always)
    private func commit(
        _ dispatch: borrowing Dispatch, _ isMine: inout Bool, _ thread: UInt,
        _ locked: borrowing Locked
    ) -> Committed {
        guard let route = locked.state.routes.find(dispatch.type) else { return .withCare }
        guard locked.state.isPlain, route._withUnsafeGuaranteedRef({ $0.isPlain }) else {
            return commitLoggedOrResponded(dispatch, on: route, at: nil, &isMine, thread, locked)
        }
        // The features keep the route; to count a reference to it would be a quarter of a plain commit.
        let outcome = route._withUnsafeGuaranteedRef { $0.reduce(locked.state.root, dispatch) }
        guard outcome == .reduced else { return .refused(refused(outcome, locked)) }
        let version = grow(locked)
        isMine = route._withUnsafeGuaranteedRef { route in
            route.isWatched(in: locked.state.index)
                && submit(route.watchers, DeliveryContext(version: version), thread, locked)
        }
        return .committed(version)
    }

    /// Ends a commit: here alone the version grows.
    @inline(__always)
    func grow(_ locked: borrowing Locked) -> CommitVersion {
        locked.state.version += 1
        return locked.state.version
    }

    /// Where a commit stands among others, and what observers get of it.
    struct CommitPlace {
        var outer: EnclosingFrame?
        var position: ChainPosition?
        var chain: DispatchChain?
        var time: Timestamp?
        var duration: Duration?
        var before: ValueCopy?
        var stamp: Stamp?

        var generation: Int { position?.generation ?? 0 }
    }

    /// Ends the commit of an action that was reduced, or of a state that was installed: the version grows, observers get
    /// their entry, and what has changed is submitted.
    ///
    /// `dispatch` is the action, or the travel; `submit` is called with the commit.
    @inline(__always)
    func seal(
        _ dispatch: borrowing Dispatch, _ kind: LogEntry.Kind, at place: CommitPlace,
        _ thread: UInt,
        _ locked: borrowing Locked, submit: (DeliveryContext) -> Void
    ) -> Committed {
        let version = grow(locked)
        var step: CommitLog.Step?
        if locked.state.commitLog.hasReaders {
            let keepsAfter = kind == .travel || locked.state.commitLog.needs.contains(.after)
            locked.state.commitLog.append(
                ErasedCommit(
                    LogEntry(
                        version: version, kind: kind, action: dispatch.boxed,
                        address: kind == .travel ? .root : dispatch.address,
                        parent: place.outer?.frame.entry, origin: dispatch.origin, time: place.time,
                        duration: place.duration, stamp: place.stamp?.recorded),
                    before: place.before, after: keepsAfter ? locked.copyState() : nil,
                    generation: place.generation, chain: place.chain))
            step = beginObserving(thread, upTo: .max, locked)
        }
        submit(
            DeliveryContext(version: version, generation: place.generation, chain: place.chain))
        guard let step else { return .committed(version) }
        return .logged(version, step)
    }

    /// Does what a commit leads to, once the lock is free.
    @inline(__always)
    func follow(
        _ committed: consuming Committed, _ isMine: Bool, _ dispatch: borrowing Dispatch,
        _ thread: UInt
    ) -> DispatchResult {
        switch consume committed {
        case .committed(let version):
            if isMine { makeRounds(of: dispatch, thread) }
            return .accepted(version)
        case .logged(let version, let step):
            notifyObservers(from: step, thread)
            if isMine { makeRounds(of: dispatch, thread) }
            return .accepted(version)
        case .refused(let refused):
            return refuse(refused, dispatch)
        case .untimed:
            return commitTimed(dispatch, thread)
        case .withCare:
            return commitCarefully(dispatch, thread)
        }
    }
}
