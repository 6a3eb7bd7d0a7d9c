// SPDX-License-Identifier: MIT

internal import OnwardCore
internal import Synchronization

/// What the effects of one cause have in common: the instance they belong to, and what started
/// them.
///
/// An owner is made for one call of an `OnAction` closure, for one value of a `While`, or for one
/// thunk. It lasts until all its effects have ended, or until its instance is gone. Most calls of
/// an `OnAction` closure answer that there is nothing to do; an owner that was not kept by then is
/// put aside and reused for a later call (`EffectClosure`).
///
/// Invariant behind `@unchecked`: `sources` and `tickMemory` are touched only under `lock`; every other `var` is
/// written only while its writer is the only one that knows the owner, and `keepsEngine` by the
/// deliverer that lent it.
final class EffectOwner: DispatchPermit, @unchecked Sendable {
    private let validity: PermitValidity
    let kind: RunningEffect.Kind
    /// The lifetime of the instance; nil if the instance lives as long as its store.
    let lifetime: InstanceLifetime?
    /// The address of the instance when the owner was made.
    private let firstAddress: Address
    @exclusivity(unchecked) private(set) var action: (any Action)?
    @exclusivity(unchecked) private(set) var startedBy: CommitVersion?
    /// The position among all parts of the store, for a stream of random numbers of its own.
    let order: Int
    /// Retained as soon as the owner may outlive the call that it was made for.
    ///
    /// Not before: until then the deliverer keeps the engine, and the engine keeps the owners that
    /// are put aside. Retaining it for each call would be a large part of an answer that begins
    /// nothing.
    @exclusivity(unchecked) private var home: Unmanaged<Engine>
    @exclusivity(unchecked) private var keepsEngine = false
    /// Runs the effects.
    let runner: EffectRunner
    /// How many still need the owner: its maker, and each of its effects.
    private let holders = Atomic(1)
    private let lock = Lock()
    /// Made on first use.
    @exclusivity(unchecked) private var sources: (random: RandomSource, ids: IDSource)?
    /// Made on first use, or that of the effect before.
    @exclusivity(unchecked) private var tickMemory: TickMemory?

    init(
        engine: Engine, runner: EffectRunner, kind: RunningEffect.Kind, lifetime: InstanceLifetime?,
        address: Address,
        action: (any Action)?, startedBy: CommitVersion?, order: Int
    ) {
        home = .passUnretained(engine)
        self.runner = runner
        self.kind = kind
        self.lifetime = lifetime
        firstAddress = address
        self.action = action
        self.startedBy = startedBy
        self.order = order
        validity = PermitValidity(within: lifetime)
        lifetime?.hold()
        keepEngine()
    }

    /// The owner of calls of an `OnAction` closure for an instance that lives as long as its store;
    /// it does not keep the engine yet.
    init(
        lent engine: Engine, runner: EffectRunner, address: Address, startedBy: CommitVersion,
        order: Int
    ) {
        home = .passUnretained(engine)
        self.runner = runner
        kind = .action
        lifetime = nil
        firstAddress = address
        self.startedBy = startedBy
        self.order = order
        validity = PermitValidity(within: nil)
    }

    deinit {
        if keepsEngine { home.release() }
    }

    var engine: Engine { home.takeUnretainedValue() }

    /// Keeps the engine from here on; called by a thread that keeps it itself.
    func keepEngine() {
        guard !keepsEngine else { return }
        keepsEngine = true
        _ = home.retain()
    }

    var isOver: Bool { validity.isOver }

    /// The instance, where it is now.
    var address: Address { lifetime?.address ?? firstAddress }

    /// What stands for the instance among the names of effects.
    var instance: EffectInstance {
        lifetime?.instance(in: runner.names) ?? runner.names.instance(at: firstAddress)
    }

    /// Whether it can end before its effects have: that of an action or a thunk has no end of its
    /// own.
    var hasEnd: Bool { kind == .state || lifetime != nil }

    /// What its effects end with: itself, and the lifetime of its instance.
    var ends: [ObjectIdentifier] {
        guard hasEnd else { return [] }
        return (kind == .state ? [ObjectIdentifier(self)] : [])
            + (lifetime.map { [ObjectIdentifier($0)] } ?? [])
    }

    /// Ends the right of its effects to dispatch.
    func end() { validity.end() }

    func hold() {
        holders.wrappingAdd(1, ordering: .relaxed)
    }

    func release() {
        guard holders.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
        end()
        lifetime?.release(engine)
    }

    /// Notes what started the effects, once it is known that there are any.
    func note(_ action: any Action) {
        self.action = action
    }

    /// Forgets what was taken from it.
    ///
    /// - Precondition: Nothing else refers to it, and it was lent its engine.
    func putAside() {
        if sources != nil { sources = nil }
        if tickMemory != nil { tickMemory = nil }
    }

    /// Becomes the owner of another call of an `OnAction` closure.
    ///
    /// - Precondition: It was put aside.
    func take(up engine: Engine, startedBy: CommitVersion) {
        home = .passUnretained(engine)
        self.startedBy = startedBy
    }

    /// Dispatches for an effect, unless the effect has ended.
    ///
    /// `place` is where the instance was when the address was made, if that depends on it.
    func dispatch(_ dispatch: borrowing Dispatch, at place: Place? = nil) -> DispatchResult {
        let job = EffectJob.current
        let permit: any DispatchPermit = if let job, job.owner === self { job } else { self }
        if permit.isOver || Task.isCancelled { return .refused(.expired) }
        return engine.dispatch(
            dispatch, with: self.permit(permit, at: place), startedBy: startedBy)
    }

    /// Where the instance of an owner was at a moment.
    struct Place: Sendable {
        let address: Address
        /// How often it had come to another address.
        fileprivate(set) var moves = 0
    }

    /// Calls `body`, which dispatches to an address near the instance; calls it again if the
    /// instance came to another address before the commit.
    func dispatch(near body: (Place) -> DispatchResult) -> DispatchResult {
        guard let lifetime else { return body(Place(address: firstAddress)) }
        while true {
            let place = lifetime.place
            let result = body(Place(address: place.address, moves: place.moves))
            guard case .refused(.expired) = result, !isOver, lifetime.place.moves != place.moves
            else { return result }
        }
    }

    /// A permit that holds as long as another one, and while the instance is where it was.
    func permit(_ permit: any DispatchPermit, at place: Place?) -> any DispatchPermit {
        guard let lifetime, let place else { return permit }
        return PlacePermit(permit, lifetime, place.moves)
    }

    private final class PlacePermit: DispatchPermit {
        private let permit: any DispatchPermit
        private let lifetime: InstanceLifetime
        private let moves: Int

        init(_ permit: any DispatchPermit, _ lifetime: InstanceLifetime, _ moves: Int) {
            self.permit = permit
            self.lifetime = lifetime
            self.moves = moves
        }

        var isOver: Bool { permit.isOver || lifetime.moves != moves }
    }

    /// Numbers that depend on the store's seed and on what started the effects, not on what else
    /// draws numbers meanwhile.
    var random: RandomSource { openSources().random }

    /// Ids, likewise.
    var ids: IDSource { openSources().ids }

    /// The last tick.
    var ticks: TickMemory {
        lock.withLock {
            let memory = tickMemory ?? TickMemory()
            tickMemory = memory
            return memory
        }
    }

    /// Goes on from the ticks of the owner before it, if there were any.
    func continueTicks(of other: EffectOwner) {
        guard let memory = other.lock.withLock({ other.tickMemory }) else { return }
        lock.withLock { tickMemory = memory }
    }

    private func openSources() -> (random: RandomSource, ids: IDSource) {
        let (version, order) = (startedBy ?? 0, UInt64(order))
        return lock.withLock {
            if let sources { return sources }
            let new = (
                random: runner.random.stream(version, order, salt),
                ids: runner.ids.stream(version, order, salt)
            )
            sources = new
            return new
        }
    }

    /// Distinguishes instances.
    private var salt: UInt64 { FNV64.hash(of: firstAddress.description) }
}
