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
/// Invariant behind `@unchecked`: what `state` points to is reached with a `Locked` only, which the thread
/// has that holds `lock`.
@usableFromInline
package final class Engine: @unchecked Sendable {
    package let options: StoreOptions
    let objects = ObjectSubscriptions()
    private let lock = Lock()
    /// What the lock protects: always one value.
    private let state: UnsafeMutablePointer<EngineState>

    init<State>(_ state: State, options: StoreOptions, features: CompiledFeatures) {
        self.options = options
        self.state = .allocate(capacity: 1)
        self.state.initialize(
            to: EngineState(
                state, features: features, waitingCommits: options.limits.waitingCommits))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Which engine this is, for frames of threads.
    package var id: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    // MARK: The lock

    /// Takes the lock, which this thread does not hold.
    @inline(__always)
    func acquire(as thread: UInt) -> Locked {
        lock.acquire(as: thread)
        return Locked(state)
    }

    /// Frees the lock.
    @inline(__always)
    func release(_ locked: consuming Locked) {
        locked.end()
        lock.release()
    }

    /// Runs `body` under the lock, which this thread does not hold.
    @inline(__always)
    package func withLock<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        finish(acquire(as: CurrentThread.id), body)
    }

    /// Runs `body` under the lock, also inside a reducer, whose thread holds it already.
    package func withLockAnywhere<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        let thread = CurrentThread.id
        let isReducing = isReducing(thread)
        let locked = isReducing ? Locked(state) : acquire(as: thread)
        let result = body(locked)
        if isReducing { locked.end() } else { release(locked) }
        return result
    }

    /// Runs `body` outside the lock, which is taken again.
    @inline(__always)
    func unlocked<Result>(
        _ thread: UInt, _ locked: inout Locked, _ body: () -> Result
    ) -> Result {
        release(locked)
        let result = body()
        locked = acquire(as: thread)
        return result
    }

    // MARK: The lock and reducers

    /// Whether a thread is inside a reducer of this store: it holds the lock, and calls nevertheless.
    @inline(__always)
    func isReducing(_ thread: UInt) -> Bool { lock.isOwned(by: thread) }

    /// Whether the current thread is inside a reducer of this store.
    var isInsideReducer: Bool { isReducing(CurrentThread.id) }

    /// Takes the lock for something that must not happen inside a reducer; nil there, with a report.
    @inline(__always)
    func acquireUnlessReducing(_ thread: UInt) -> Locked? {
        if isReducing(thread) {
            reportReading()
            return nil
        }
        return acquire(as: thread)
    }

    /// Runs `body` under the lock, for something that inside a reducer is a mistake, but one that has an
    /// answer.
    package func whole<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        if isInsideReducer { reportReading() }
        return withLockAnywhere(body)
    }

    @inline(never)
    private func reportReading() {
        options.misuse(.readInsideReducer(stateName))
    }

    private var stateName: String { withLockAnywhere { $0.state.stateType.name } }

    // MARK: The lock, for code that is compiled into a client

    /// Runs `body` under the lock, which this thread does not hold.
    @inlinable
    package func withLockHere<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        finish(acquireHere(), body)
    }

    /// Runs `body` under the lock, for something that reads the state; stops the program inside a reducer,
    /// where there is no whole state to read.
    @inlinable
    package func reading<Result>(_ body: (borrowing Locked) -> Result) -> Result {
        finish(acquireForReading(), body)
    }

    /// Runs `body` under the lock that was just taken, and frees it.
    @inlinable @inline(__always)
    func finish<Result>(
        _ locked: consuming Locked, _ body: (borrowing Locked) -> Result
    ) -> Result {
        let result = body(locked)
        releaseHere(locked)
        return result
    }

    @usableFromInline
    func acquireHere() -> Locked { acquire(as: CurrentThread.id) }

    @usableFromInline
    func acquireForReading() -> Locked {
        guard let locked = acquireUnlessReducing(CurrentThread.id) else {
            preconditionFailure(Misuse.readInsideReducer(stateName).description)
        }
        return locked
    }

    @usableFromInline
    func releaseHere(_ locked: consuming Locked) { release(locked) }

    // MARK: Dispatching

    /// Takes an action through middleware, timeline and reducers.
    ///
    /// - Precondition: `action` points to an initialised value of `type`.
    @usableFromInline
    package func dispatch(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?
    ) -> DispatchResult {
        let thread = CurrentThread.id
        if isReducing(thread) { return refuseInsideReducer(type, action, origin) }
        let locked = acquire(as: thread)
        guard locked.state.stageCount == 0 else {
            // Kept, as they may be replaced meanwhile; then they are released here, outside the lock.
            let features = locked.state.features
            release(locked)
            return withExtendedLifetime(features) {
                runChain(of: features, type, action, to: address, from: origin, on: here)
            }
        }
        return commit(type, action, to: address, from: origin, on: here, thread, locked)
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
        let locked = acquire(as: thread)
        return commit(
            type, action, to: address.value, from: origin.value, on: here.value, thread, locked)
    }

    /// Reduces and tells.
    @inline(__always)
    private func commit(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, _ thread: UInt, _ locked: consuming Locked
    ) -> DispatchResult {
        guard locked.state.isPlain, let route = locked.state.routes.find(type) else {
            return commitCarefully(
                type, action, to: address, from: origin, on: here, thread, locked)
        }
        let root = locked.state.root
        // The features keep the route; to count a reference to it would take 49 instructions of 194.
        let outcome = route._withUnsafeGuaranteedRef {
            $0.reduce(root, action, as: type, to: address)
        }
        guard outcome == .reduced else {
            return refuse(outcome, type, action, address, origin, locked)
        }
        locked.state.version += 1
        let version = locked.state.version
        if route._withUnsafeGuaranteedRef({ $0.isWatched(in: locked.state.index) }) {
            tell(route._withUnsafeGuaranteedRef { $0.watchers }, on: here, thread, locked)
        } else {
            release(locked)
        }
        return .accepted(version)
    }
}
