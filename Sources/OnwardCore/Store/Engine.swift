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
///
/// What every delivery touches, here and in the groups, is `@exclusivity(unchecked)`: the lock, or being
/// the deliverer, does what a check of exclusive access would only do again.
@usableFromInline
package final class Engine: @unchecked Sendable {
    package let lock = Lock()
    package let options: StoreOptions
    let stateType: ValueType
    package let root: UnsafeMutableRawPointer
    let index = SubscriptionIndex()
    let objects = ObjectSubscriptions()

    /// The features; `routes` is its table, for a look-up that counts no references.
    var program: Program {
        didSet {
            routes = program.routes
            stageCount = program.stages.count
        }
    }
    private var routes: RouteTable
    private var stageCount: Int
    var version: Version = 0
    @exclusivity(unchecked) var outbox: Outbox
    var observers = ObserverList()
    var needs: ObserverNeeds = []
    var timelines = TimelineChain() { didSet { updateSpecial() } }
    /// How many actions found nobody because a slice or a row was absent.
    var absences: UInt64 = 0
    /// The deliveries and mailboxes at work; while there are any, dispatches may be nested.
    @exclusivity(unchecked) var callouts = 0
    var isClosed = false { didSet { updateSpecial() } }
    /// How many participants want to learn of every action.
    var attention = 0 { didSet { updateSpecial() } }
    /// Whether there is a timeline, an end, or a participant to look after.
    private var isSpecial = false
    /// Whether a commit needs no more than its reducers and its watchers.
    var isPlain: Bool {
        callouts == 0 && needs.isEmpty && !isSpecial
    }
    @exclusivity(unchecked) var idlers: [CheckedContinuation<Void, Never>] = []
    @exclusivity(unchecked) var deliveryWaiters = DeliveryWaiters()
    var endings: [ObjectIdentifier: @Sendable () -> Void] = [:]
    var mailboxes = MailboxTable()
    @exclusivity(unchecked) var attachments = AttachmentList()
    /// The subscribers that wait for the newest value until a group has caught up, by group and order.
    @exclusivity(unchecked) var behind: [ObjectIdentifier: [UInt64: Subscriber]] = [:]

    init<State>(_ state: State, options: StoreOptions, program: Program) {
        self.options = options
        self.program = program
        routes = program.routes
        stageCount = program.stages.count
        outbox = Outbox(limit: options.limits.waitingCommits)
        stateType = TypedValue<State>()
        root = withUnsafePointer(to: state) { TypedValue<State>().copy($0) }
    }

    deinit {
        stateType.destroy(root)
        root.deallocate()
    }

    private func updateSpecial() {
        isSpecial = !timelines.isEmpty || isClosed || attention > 0
    }

    /// Which engine this is, for frames of threads.
    package var id: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// Takes an action through middleware, timeline and reducers.
    ///
    /// - Precondition: `action` points to an initialised value of `type`.
    @usableFromInline
    package func dispatch(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?
    ) -> DispatchResult {
        let thread = CurrentThread.id
        if lock.isOwned(by: thread) { return refuseInsideReducer(type, action, origin) }
        lock.acquire(as: thread)
        guard stageCount == 0 else {
            return runChain(type, action, to: address, from: origin, on: here, thread)
        }
        return commit(type, action, to: address, from: origin, on: here, thread)
    }

    /// The end of the middleware chain.
    ///
    /// Not inlined: only a call passes lent values on without counting their references.
    @inline(never)
    func finish(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: borrowing Lent<Address>,
        from origin: borrowing Lent<Origin>, on here: borrowing Lent<(any Actor)?>
    ) -> DispatchResult {
        let thread = CurrentThread.id
        if lock.isOwned(by: thread) { return refuseInsideReducer(type, action, origin.value) }
        lock.acquire(as: thread)
        return commit(
            type, action, to: address.value, from: origin.value, on: here.value, thread)
    }

    /// Reduces and tells.
    ///
    /// The caller holds the lock, which is released here.
    @inline(__always)
    private func commit(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address,
        from origin: Origin, on here: (any Actor)?, _ thread: UInt
    ) -> DispatchResult {
        guard isPlain, let route = routes.find(type) else {
            return commitCarefully(type, action, to: address, from: origin, on: here, thread)
        }
        return route._withUnsafeGuaranteedRef { route in
            let outcome = route.reduce(root, action, as: type, to: address)
            guard outcome == .reduced else {
                return refuse(outcome, type, action, address, origin)
            }
            version += 1
            let version = version
            if route.isWatched(in: index) {
                tell(route.watchers, on: here, thread)
            } else {
                lock.release()
            }
            return .accepted(version)
        }
    }
}
