// SPDX-License-Identifier: MIT

// The plain way of an action: one lock, one look-up, one call of the reducer, one addition.

extension Engine {
    /// Takes an action through middleware, gate and reducers.
    @usableFromInline
    package func dispatch(_ dispatch: borrowing Dispatch) -> DispatchResult {
        let thread = CurrentThread.id
        if isReducing(thread) { return refuseInsideReducer(dispatch) }
        var features: CompiledFeatures?
        var first: Delivery?
        let committed = withLock(as: thread) { locked in
            guard locked.state.stageCount == 0 else {
                // Kept, as they may be replaced meanwhile.
                features = locked.state.features
                return Committed.withCare
            }
            return commit(dispatch, into: &first, thread, locked)
        }
        if let features {
            return withExtendedLifetime(features) { runChain(of: features, dispatch) }
        }
        return follow(committed, first, dispatch, thread)
    }

    /// The end of the middleware chain.
    @inline(never)
    func finish(_ dispatch: borrowing Dispatch) -> DispatchResult {
        let thread = CurrentThread.id
        if isReducing(thread) { return refuseInsideReducer(dispatch) }
        var first: Delivery?
        let committed = withLock(as: thread) { commit(dispatch, into: &first, thread, $0) }
        return follow(committed, first, dispatch, thread)
    }

    /// What came of a commit under the lock.
    enum Committed: ~Copyable {
        /// It was reduced; where nobody delivers, its delivery was handed back.
        case committed(Version)
        /// The same, and this thread notifies an observer of it first.
        case logged(Version, CommitLog.Step)
        case refused(Refused)
        /// Nothing yet, as an observer needs the time.
        case untimed
        /// Nothing yet, as there is more to look after than reducers and subscribers.
        case withCare
    }

    /// Reduces, in the plain case.
    @inline(__always)
    private func commit(
        _ dispatch: borrowing Dispatch, into first: inout Delivery?, _ thread: UInt,
        _ locked: borrowing Locked
    ) -> Committed {
        guard locked.state.isPlain, let route = locked.state.routes.find(dispatch.type) else {
            return commitLoggedOrResponded(dispatch, at: nil, into: &first, thread, locked)
        }
        let root = locked.state.root
        // The features keep the route; to count a reference to it would be a quarter of a plain commit.
        let outcome = route._withUnsafeGuaranteedRef {
            $0.reduce(root, dispatch)
        }
        guard outcome == .reduced else { return .refused(refused(outcome, locked)) }
        let version = sealCommit(locked)
        guard route._withUnsafeGuaranteedRef({ $0.isWatched(in: locked.state.index) }) else {
            return .committed(version)
        }
        let context = DeliveryContext(
            version: version, lastListener: locked.state.index.lastOrder)
        let delivery = Delivery(context, groups: route._withUnsafeGuaranteedRef { $0.watchers })
        first = submit(delivery, thread, locked)
        return .committed(version)
    }

    /// Ends a commit: here alone the version grows.
    @inline(__always)
    func sealCommit(_ locked: borrowing Locked) -> Version {
        locked.state.version += 1
        return locked.state.version
    }

    /// Does what a commit leads to, once the lock is free.
    @inline(__always)
    func follow(
        _ committed: consuming Committed, _ first: consuming Delivery?,
        _ dispatch: borrowing Dispatch, _ thread: UInt
    ) -> DispatchResult {
        switch consume committed {
        case .committed(let version):
            if first != nil { deliver(first, of: dispatch, thread) }
            return .accepted(version)
        case .logged(let version, let step):
            notifyObservers(from: step, thread)
            if first != nil { deliver(first, of: dispatch, thread) }
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
