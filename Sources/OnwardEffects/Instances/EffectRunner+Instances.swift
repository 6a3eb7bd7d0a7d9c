// SPDX-License-Identifier: MIT

internal import OnwardCore

// The instances that effects belong to. They are looked after under the engine's lock.

extension EffectRunner {
    /// The instances that an address names, whose lives are looked after from here on.
    ///
    /// The commit names them, and not the caller of the answers later: meanwhile an instance may have gone
    /// and another one have come to its address.
    func instances(
        at place: Place, of address: Address, in engine: Engine, _ locked: borrowing Locked
    ) -> [EffectCue.Instance] {
        let addresses = place.instances(of: address, in: locked.root)
        guard place.finder != nil else {
            return addresses.map { EffectCue.Instance(address: $0, life: nil) }
        }
        var instances: [EffectCue.Instance] = []
        for address in addresses {
            let life = EffectLife(of: place, address)
            lookAfter(life, in: engine, locked)
            instances.append(EffectCue.Instance(address: address, life: life))
        }
        return instances
    }

    /// The effects whose instance went away with the state that the engine has now.
    func takeOrphans(
        in engine: Engine, _ locked: borrowing Locked, where mayHaveChanged: (Range<Int>) -> Bool
    ) -> [EffectLife] {
        guard !owners.isEmpty else { return [] }
        let orphans = owners.orphans(in: locked.root, where: mayHaveChanged)
        noteAttention(in: engine, locked)
        return orphans
    }

    func lookAfter(_ life: EffectLife, in engine: Engine, _ locked: borrowing Locked) {
        owners.add(life, in: locked.root)
        noteAttention(in: engine, locked)
    }

    /// Looks after a life no more, as nobody needs it.
    func forget(_ life: EffectLife, in engine: Engine, _ locked: borrowing Locked) {
        owners.remove(life)
        noteAttention(in: engine, locked)
    }

    /// Learns of every action while there are instances to look after.
    private func noteAttention(in engine: Engine, _ locked: borrowing Locked) {
        guard isAttentive == owners.isEmpty else { return }
        isAttentive.toggle()
        engine.attend(isAttentive, locked)
    }
}

extension Engine {
    /// What looks after the effects of this store.
    ///
    /// For a thread that does not hold the lock, or is inside a reducer.
    var effects: EffectRunner { attached(EffectRunner.self) }

    /// The life of the instance that is at an address now; nil when there is none.
    func life(at place: Place, _ address: Address) -> EffectLife? {
        whole { locked in
            guard place.contains(address, in: locked.root) else { return nil }
            let life = EffectLife(of: place, address)
            attachment(EffectRunner.self, locked).lookAfter(life, in: self, locked)
            return life
        }
    }

    /// No longer looks after a life, as it is not needed.
    func forget(_ life: EffectLife) {
        withLockAnywhere { attachment(EffectRunner.self, $0).forget(life, in: self, $0) }
    }

    /// The instance of a scope; nil when it is gone.
    func instance<Slice>(at place: Place, of scope: EffectScope) -> Slice? {
        whole { locked in
            scope.life?.isOver == true
                ? nil : place.value(of: scope.address, in: locked.root, as: Slice.self)
        }
    }
}
