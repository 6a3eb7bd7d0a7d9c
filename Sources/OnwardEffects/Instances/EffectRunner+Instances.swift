// SPDX-License-Identifier: MIT

internal import OnwardCore

// The instances that effects belong to. They are tracked under the store's lock.

extension EffectRunner {
    /// The instances of a responder that an address names, with their state if the responder takes
    /// it; their lifetimes are tracked from here on.
    ///
    /// They are determined at the commit, not later when the answers are called: by then an
    /// instance may be gone, and another one may be at its address.
    func instances(
        of responder: Responder, at address: Address, in engine: Engine, _ locked: borrowing Locked
    ) -> [EffectTrigger.Instance] {
        let lens = responder.lens
        var instances: [EffectTrigger.Instance] = []
        for address in lens.instances(of: address, in: locked.root) {
            var lifetime: InstanceLifetime?
            if lens.finder != nil {
                lifetime = self.lifetime(of: lens, address, in: engine, locked)
            }
            let reaction = unsafeDowncast(responder.target, to: Reaction.self)
            instances.append(
                EffectTrigger.Instance(
                    address: address, lifetime: lifetime,
                    state: responder.takesState
                        ? reaction.copyState(of: address, in: locked.root) : nil))
        }
        return instances
    }

    /// The effects whose instance is gone from the engine's current state.
    func takeOrphans(
        in engine: Engine, _ locked: borrowing Locked, where mayHaveChanged: (Range<Int>) -> Bool
    ) -> [InstanceLifetime] {
        guard !lifetimes.isEmpty else { return [] }
        let orphans = lifetimes.orphans(in: locked.root, where: mayHaveChanged)
        noteAttention(in: engine, locked)
        return orphans
    }

    /// The lifetime of an instance that is there, held for the caller.
    func lifetime(
        of lens: SliceLens, _ address: Address, in engine: Engine, _ locked: borrowing Locked
    ) -> InstanceLifetime {
        let lifetime = lifetimes.lifetime(of: lens, address, in: locked.root)
        noteAttention(in: engine, locked)
        return lifetime
    }

    /// Stops tracking a lifetime that is no longer needed, unless it is needed again.
    func forget(_ lifetime: InstanceLifetime, in engine: Engine, _ locked: borrowing Locked) {
        guard !lifetime.isHeld else { return }
        lifetimes.remove(lifetime)
        noteAttention(in: engine, locked)
    }

    /// Observes every action while there are instances to track.
    private func noteAttention(in engine: Engine, _ locked: borrowing Locked) {
        guard isAttentive == lifetimes.isEmpty else { return }
        isAttentive.toggle()
        engine.attend(isAttentive, locked)
    }
}

extension Engine {
    /// The runner of this store's effects.
    ///
    /// For a thread that does not hold the lock, or is inside a reducer.
    var effects: EffectRunner { attached(EffectRunner.self) }

    /// The lifetime of the instance that is at an address now; nil when there is none.
    func lifetime(at lens: SliceLens, _ address: Address) -> InstanceLifetime? {
        whole { locked in
            guard lens.contains(address, in: locked.root) else { return nil }
            return attachment(EffectRunner.self, locked).lifetime(
                of: lens, address, in: self, locked)
        }
    }

    /// Stops tracking a lifetime that is no longer needed.
    func forget(_ lifetime: InstanceLifetime) {
        withLockAnywhere { attachment(EffectRunner.self, $0).forget(lifetime, in: self, $0) }
    }

    /// The instance of an owner; nil when it is gone.
    func instance<Slice>(at lens: SliceLens, of owner: EffectOwner) -> Slice? {
        whole { locked in
            owner.lifetime?.isOver == true
                ? nil : lens.value(of: owner.address, in: locked.root, as: Slice.self)
        }
    }
}
