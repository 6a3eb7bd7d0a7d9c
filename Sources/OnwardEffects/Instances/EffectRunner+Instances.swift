// SPDX-License-Identifier: MIT

internal import OnwardCore

// The instances that effects belong to. They are looked after under the store's lock.

extension EffectRunner {
    /// The instances of a responder that an address names, whose lifetimes are looked after from here on, with
    /// their state where the responder takes it.
    ///
    /// The commit names them, and not the caller of the answers later: meanwhile an instance may have gone
    /// and another one have come to its address.
    func instances(
        of responder: Responder, at address: Address, in engine: Engine, _ locked: borrowing Locked
    ) -> [EffectTrigger.Instance] {
        let lens = responder.lens
        var instances: [EffectTrigger.Instance] = []
        for address in lens.instances(of: address, in: locked.root) {
            var lifetime: InstanceLifetime?
            if lens.finder != nil {
                let new = InstanceLifetime(of: lens, address)
                lookAfter(new, in: engine, locked)
                lifetime = new
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

    /// The effects whose instance went away with the state that the engine has now.
    func takeOrphans(
        in engine: Engine, _ locked: borrowing Locked, where mayHaveChanged: (Range<Int>) -> Bool
    ) -> [InstanceLifetime] {
        guard !lifetimes.isEmpty else { return [] }
        let orphans = lifetimes.orphans(in: locked.root, where: mayHaveChanged)
        noteAttention(in: engine, locked)
        return orphans
    }

    func lookAfter(_ lifetime: InstanceLifetime, in engine: Engine, _ locked: borrowing Locked) {
        lifetimes.add(lifetime, in: locked.root)
        noteAttention(in: engine, locked)
    }

    /// Looks after a lifetime no more, as nobody needs it.
    func forget(_ lifetime: InstanceLifetime, in engine: Engine, _ locked: borrowing Locked) {
        lifetimes.remove(lifetime)
        noteAttention(in: engine, locked)
    }

    /// Learns of every action while there are instances to look after.
    private func noteAttention(in engine: Engine, _ locked: borrowing Locked) {
        guard isAttentive == lifetimes.isEmpty else { return }
        isAttentive.toggle()
        engine.attend(isAttentive, locked)
    }
}

extension Engine {
    /// What looks after the effects of this store.
    ///
    /// For a thread that does not hold the lock, or is inside a reducer.
    var effects: EffectRunner { attached(EffectRunner.self) }

    /// The lifetime of the instance that is at an address now; nil when there is none.
    func lifetime(at lens: SliceLens, _ address: Address) -> InstanceLifetime? {
        whole { locked in
            guard lens.contains(address, in: locked.root) else { return nil }
            let lifetime = InstanceLifetime(of: lens, address)
            attachment(EffectRunner.self, locked).lookAfter(lifetime, in: self, locked)
            return lifetime
        }
    }

    /// No longer looks after a lifetime, as it is not needed.
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
