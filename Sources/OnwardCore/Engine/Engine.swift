// SPDX-License-Identifier: MIT

/// The heart of a store: the only place where an action meets a reducer.
///
/// It knows no types. The state is memory that was initialised with one value of the root type and
/// always holds one; actions come as pointers together with their type. The typed shells around it
/// (`Store`, `Registration`, `Getter`) are the only ones that make such pointers. So there is
/// one compiled core for all apps, and no metadata look-up, cast or box on an action's way.
///
/// Only reducers and copies of stored values run under the lock; selections, comparisons, observers, middleware and
/// subscribers are called after it was freed.
///
/// What its lock protects is one ``EngineState``.
@usableFromInline
package final class Engine: LockedStorage, Dispatcher, SubscriberHost, @unchecked Sendable {
    package let options: StoreOptions
    package var clock: any Clock<Duration> { options.clock }
    let objects = ObjectSubscriptions()

    init<State>(_ state: State, options: StoreOptions, features: CompiledFeatures) {
        self.options = options
        let memory = UnsafeMutablePointer<EngineState>.allocate(capacity: 1)
        memory.initialize(
            to: EngineState(
                state, features: features, waitingCommits: options.limits.waitingCommits))
        super.init(memory)
    }

    deinit {
        memory.assumingMemoryBound(to: EngineState.self).deinitialize(count: 1)
        memory.deallocate()
    }

    // MARK: The lock and reducers

    /// Runs `body` under the lock, for something that must not happen inside a reducer; nil there, with a
    /// report.
    @inline(__always)
    func withLockUnlessReducing<Result: ~Copyable>(
        _ body: (borrowing Locked) -> Result
    ) -> Result? {
        let thread = CurrentThread.id
        guard !isReducing(thread) else {
            reportReading()
            return nil
        }
        return withLock(as: thread, body)
    }

    /// Runs `body` under the lock, for something that inside a reducer is a mistake, but one that has an
    /// answer.
    package func whole<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        if isInsideReducer { reportReading() }
        return withLockAnywhere(body)
    }

    /// Runs `body` under the lock, for something that reads the state; stops the program inside a reducer,
    /// where there is no whole state to read.
    @inlinable
    package func reading<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        finish(acquireForReading(), body)
    }

    @usableFromInline
    func acquireForReading() -> Locked {
        if isInsideReducer {
            reportReading()
            preconditionFailure(Misuse.readInsideReducer(stateName).description)
        }
        return acquireHere()
    }

    @inline(never)
    func reportReading() {
        options.misuse(.readInsideReducer(stateName))
    }

    private var stateName: String { withLockAnywhere { $0.state.stateType.name } }

    // MARK: Dispatching

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
        case refused(Refused)
        /// Nothing yet, as there is more to look after than reducers and subscribers.
        case withCare
    }

    /// Reduces, in the plain case.
    @inline(__always)
    private func commit(
        _ dispatch: borrowing Dispatch, into first: inout Delivery?, _ thread: UInt,
        _ locked: borrowing Locked
    ) -> Committed {
        guard locked.state.isPlain else { return .withCare }
        guard let route = locked.state.routes.find(dispatch.type) else {
            return commitResponded(dispatch, into: &first, thread, locked)
        }
        let root = locked.state.root
        // The features keep the route; to count a reference to it would take 49 instructions of 194.
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
        case .refused(let refused):
            return refuse(refused, dispatch)
        case .withCare:
            return commitCarefully(dispatch, thread)
        }
    }
}

extension Engine {
    /// Returns when nothing is being delivered and nothing waits to be.
    package func rest() async {
        await withCheckedContinuation { continuation in
            let isIdle = reading { locked in
                if locked.state.isAtRest { return true }
                locked.state.idlers.append(continuation)
                return false
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Refuses actions from now on; true for the first call.
    package func close() -> Bool {
        reading { locked in
            defer { locked.state.isClosed = true }
            return !locked.state.isClosed
        }
    }

    /// Lets go of everyone: no call begins from here on, and tasks that wait are notified.
    package func end() {
        // What is taken out may use the store when it goes, which it does after the lock.
        let (listeners, endings, attachments, gates) = withLockAnywhere { locked in
            locked.state.isClosed = true
            let listeners: [Listener] =
                locked.state.index.subscribers(locked) + locked.state.commitLog.registrations
            let endings = locked.state.endings ?? [:]
            locked.state.endings = nil
            return (
                listeners, endings, locked.state.attachments.all,
                locked.state.gates.removeAll()
            )
        }
        withExtendedLifetime(gates) {}
        for listener in listeners { listener.cancel() }
        objects.removeAll()
        for attachment in attachments { attachment.end(in: self) }
        for ending in endings.values { ending() }
    }

    /// Has `body` called when the store ends; false when it has ended already.
    package func atEnd(of owner: AnyObject, _ body: @escaping @Sendable () -> Void) -> Bool {
        reading { locked in
            locked.state.endings?[ObjectIdentifier(owner)] = body
            return locked.state.endings != nil
        }
    }

    /// Undoes `atEnd`; allowed inside a reducer too, which may cancel a task that waits.
    func forgetEnd(of owner: AnyObject) {
        withLockAnywhere { $0.state.endings?[ObjectIdentifier(owner)] = nil }
    }
}

extension Engine {
    /// Dispatches with a permit.
    ///
    /// The frame makes the entry that led here the parent, and lets the commit see, under the lock,
    /// whether the permit still holds.
    package func dispatch(
        _ dispatch: borrowing Dispatch, with permit: any DispatchPermit, startedBy: Version?
    ) -> DispatchResult {
        guard beginCallback() else { return refuseInsideReducer(dispatch) }
        defer { endCallback() }
        // An answer that dispatches by itself continues the delivery that it is called in.
        let outer = ThreadFrame.place(of: id)
        return ThreadFrame.push(
            engine: id, version: outer?.pointee.entry ?? startedBy ?? 0,
            generation: outer?.pointee.generation ?? -1, depth: outer?.pointee.depth ?? 0,
            chain: outer?.pointee.chain,
            permit: permit
        ) {
            TaskPermit.withNone { self.dispatch(dispatch) }
        }
    }

    /// Calls what dispatches in answer to a commit, as part of the delivery of that; without a permit where
    /// nothing can end its right.
    package func call(
        within context: DeliveryContext, with permit: (any DispatchPermit)?, _ body: () -> Void
    ) {
        ThreadFrame.push(
            engine: id, version: context.version, generation: context.generation,
            chain: context.chain, permit: permit
        ) { TaskPermit.withNone(body) }
    }

    private func beginCallback() -> Bool {
        let thread = CurrentThread.id
        guard !isReducing(thread) else { return false }
        withLock(as: thread) { $0.state.callbacksInProgress += 1 }
        return true
    }
}
