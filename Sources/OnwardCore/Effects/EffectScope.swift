// SPDX-License-Identifier: MIT

/// What the effects of one cause have in common: the instance they belong to, and what started them.
///
/// A scope is made for one call of a `React` closure, for one value of a `While`, or for one thunk.
/// It lasts until all its effects have ended, or until its instance is gone.
final class EffectScope: Sendable {
    let engine: Engine
    let kind: RunningEffect.Kind
    /// The life of the instance; nil where that lives as long as its store.
    let life: EffectLife?
    /// The instance.
    let address: Address
    let action: (any Action)?
    let startedBy: Version?
    /// The position among all parts of the store, for a stream of random numbers of its own.
    let order: Int
    let lease: EffectLease
    /// How many still need the scope: its maker, and each of its effects.
    private let holders = Guarded(1)
    /// Made when they are asked for.
    private let sources = Guarded<(random: RandomSource, ids: IDSource)?>(nil)

    init(
        engine: Engine, kind: RunningEffect.Kind, life: EffectLife?, address: Address,
        action: (any Action)?, startedBy: Version?, order: Int
    ) {
        self.engine = engine
        self.kind = kind
        self.life = life
        lease = EffectLease(within: life?.lease)
        self.address = address
        self.action = action
        self.startedBy = startedBy
        self.order = order
        life?.hold()
    }

    func hold() {
        holders.withValue { $0 += 1 }
    }

    func letGo() {
        let isLast = holders.withValue { holders in
            holders -= 1
            return holders == 0
        }
        guard isLast else { return }
        lease.end()
        life?.letGo(engine)
    }

    /// Dispatches for an effect, unless that has ended.
    func dispatch(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address?,
        from origin: Origin, on here: (any Actor)?
    ) -> DispatchResult {
        let job = EffectJob.current
        let lease = job?.scope === self ? job?.lease ?? lease : lease
        if lease.isOver || Task.isCancelled { return .refused(.effectEnded) }
        return engine.dispatch(
            type, action, to: address ?? self.address, from: origin, on: here, for: lease,
            startedBy: startedBy)
    }

    /// Numbers that depend on the store's seed and on what started the effects, not on who else
    /// takes numbers meanwhile.
    var random: RandomSource { openSources().random }

    /// Ids in the same manner.
    var ids: IDSource { openSources().ids }

    private func openSources() -> (random: RandomSource, ids: IDSource) {
        let (version, order) = (startedBy ?? 0, UInt64(order))
        return sources.withValue { sources in
            if let sources { return sources }
            let new = (
                random: engine.options.random.stream(version, order, salt),
                ids: engine.options.ids.stream(version, order, salt)
            )
            sources = new
            return new
        }
    }

    /// Tells instances apart.
    private var salt: UInt64 {
        // FNV-1a (Fowler, Noll, Vo), as `Hasher` gives other numbers in each run.
        address.description.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
    }
}
