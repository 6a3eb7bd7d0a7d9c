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
    ///
    /// - Precondition: `action` points to an initialised value of `type`.
    @usableFromInline
    package func dispatch(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?
    ) -> DispatchResult {
        let thread = CurrentThread.id
        if isReducing(thread) { return refuseInsideReducer(type, action, origin) }
        var chain: CompiledFeatures?
        var first: Delivery?
        let committed = withLock(as: thread) { locked in
            guard locked.state.stageCount == 0 else {
                // Kept, as they may be replaced meanwhile.
                chain = locked.state.features
                return Committed.withCare
            }
            return commit(type, action, to: address, into: &first, thread, locked)
        }
        if let chain {
            return withExtendedLifetime(chain) {
                runChain(of: chain, type, action, to: address, from: origin, on: here)
            }
        }
        return follow(committed, first, type, action, to: address, from: origin, on: here, thread)
    }

    /// The end of the middleware chain.
    ///
    /// Not inlined: only a call passes borrowed values on without counting their references.
    @inline(never)
    func finish(
        _ type: any Action.Type, _ action: UnsafeRawPointer,
        to address: borrowing Borrowed<Address>,
        from origin: borrowing Borrowed<Origin>, on here: borrowing Borrowed<(any Actor)?>
    ) -> DispatchResult {
        let thread = CurrentThread.id
        if isReducing(thread) { return refuseInsideReducer(type, action, origin.value) }
        var first: Delivery?
        let committed = withLock(as: thread) {
            commit(type, action, to: address.value, into: &first, thread, $0)
        }
        return follow(
            committed, first, type, action, to: address.value, from: origin.value, on: here.value,
            thread)
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
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        into first: inout Delivery?, _ thread: UInt, _ locked: borrowing Locked
    ) -> Committed {
        guard locked.state.isPlain else { return .withCare }
        guard let route = locked.state.routes.find(type) else {
            return commitResponded(
                type, action, to: address, into: &first, thread, locked)
        }
        let root = locked.state.root
        // The features keep the route; to count a reference to it would take 49 instructions of 194.
        let outcome = route._withUnsafeGuaranteedRef {
            $0.reduce(root, action, as: type, to: address)
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

    /// Does what a commit leads to, once the lock is free.
    @inline(__always)
    func follow(
        _ committed: consuming Committed, _ first: consuming Delivery?, _ type: any Action.Type,
        _ action: UnsafeRawPointer, to address: Address, from origin: Origin,
        on here: (any Actor)?, _ thread: UInt
    ) -> DispatchResult {
        switch consume committed {
        case .committed(let version):
            if first != nil { deliver(first, on: here, thread) }
            return .accepted(version)
        case .refused(let refused):
            return refuse(refused, type, action, address, origin)
        case .withCare:
            return commitCarefully(type, action, to: address, from: origin, on: here, thread)
        }
    }
}
