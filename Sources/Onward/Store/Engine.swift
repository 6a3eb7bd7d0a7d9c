// SPDX-License-Identifier: MIT

/// The heart of a store: the only place where an action meets a reducer.
///
/// It knows no types. The state is memory that was initialised with one value of the root type and
/// always holds one; actions come as pointers together with their type. The typed shells around it
/// (`Store`, `Registration`, `Projection`) are the only ones that make such pointers. So there is
/// one compiled heart for all apps, and no metadata look-up, cast or box on an action's way.
///
/// Invariant behind `@unchecked`: every `var` below, and the memory at `root`, is touched only by
/// the thread that holds `lock`. Only reducers and copies of stored values run under it; selections,
/// comparisons, observers, middleware and subscribers are called after it was released.
@usableFromInline
final class Engine: @unchecked Sendable {
    let lock = Lock()
    let options: StoreOptions
    let stateType: StateType
    let root: UnsafeMutableRawPointer

    var program: Program
    var version: Version = 0
    var index = SubscriptionIndex()
    var outbox: Outbox
    var observers: [ObserverSeat] = []
    var needs: ObserverNeeds = []
    var timeline: TimelineJudge?
    /// Changes when the timeline decides otherwise than before; see `finish`.
    var timelineTurn: UInt64 = 0
    /// How many actions found nobody because a slice or a row was absent.
    var absences: UInt64 = 0
    /// The deliveries and mailboxes at work; while there are any, dispatches may be nested.
    var callouts = 0
    var isClosed = false
    var idlers: [CheckedContinuation<Void, Never>] = []
    var endings: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var mailboxes: [ObjectIdentifier: Mailbox] = [:]

    init<State>(_ state: State, options: StoreOptions, program: Program) {
        self.options = options
        self.program = program
        outbox = Outbox(limit: options.limits.waitingCommits)
        stateType = TypedState<State>()
        root = withUnsafePointer(to: state) { TypedState<State>().copy($0) }
    }

    deinit {
        stateType.destroy(root)
    }

    /// Which engine this is, for frames of threads.
    var id: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Takes an action through middleware, timeline and reducers.
    ///
    /// - Precondition: `action` points to an initialised value of `type`.
    @usableFromInline
    func dispatch(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?
    ) -> DispatchResult {
        let thread = CurrentThread.id
        if lock.isOwned(by: thread) { return refuseInsideReducer(type, action, origin) }
        lock.acquire(as: thread)
        guard program.chain.isEmpty else {
            return runChain(type, action, to: address, from: origin, on: here)
        }
        return commit(type, action, to: address, from: origin, on: here, thread)
    }

    /// The end of the middleware chain.
    func finish(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?
    ) -> DispatchResult {
        let thread = CurrentThread.id
        if lock.isOwned(by: thread) { return refuseInsideReducer(type, action, origin) }
        lock.acquire(as: thread)
        return commit(type, action, to: address, from: origin, on: here, thread)
    }

    /// Reduces and tells. The caller holds the lock, which is released here.
    @inline(__always)
    private func commit(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, _ thread: UInt
    ) -> DispatchResult {
        guard let route = program.route(for: type), !isClosed, timeline == nil, needs.isEmpty,
            callouts == 0
        else {
            return commitCarefully(type, action, to: address, from: origin, on: here, thread)
        }
        let outcome = route.reduce(root, action, as: type, to: address)
        guard outcome == .reduced else {
            return refuse(outcome, type, action, address, origin)
        }
        version += 1
        let version = version
        let groups = route.watchers(in: index)
        if groups.isEmpty {
            lock.release()
            return .accepted(version)
        }
        tell(
            Delivery(version: version, generation: 0, cause: nil, commit: nil, groups: groups),
            on: here, thread)
        return .accepted(version)
    }
}
