// SPDX-License-Identifier: MIT

internal import OnwardCore

// The instances that effects belong to. They are looked after under the engine's lock.

extension EffectRunner {
    /// The instances that an address names, whose lives are looked after from here on.
    ///
    /// The commit names them, not the later caller of the answers: meanwhile an instance may have gone and
    /// another one may have come to its address. Under the lock.
    func instances(
        at place: Place, of address: Address, in engine: Engine
    ) -> [EffectCue.Instance] {
        let addresses = place.instances(of: address, in: engine.root)
        guard place.finder != nil else {
            return addresses.map { EffectCue.Instance(address: $0, life: nil) }
        }
        return addresses.map { address in
            let life = EffectLife(of: place, address)
            lookAfter(life, in: engine)
            return EffectCue.Instance(address: address, life: life)
        }
    }

    /// The effects whose instance went away with the state that the engine has now.
    ///
    /// Under the lock.
    func takeOrphans(
        in engine: Engine, where mayHaveChanged: (Range<Int>) -> Bool
    ) -> [EffectLife] {
        guard !owners.isEmpty else { return [] }
        defer { noteAttention(in: engine) }
        return owners.orphans(in: engine.root, where: mayHaveChanged)
    }

    /// Under the lock.
    func lookAfter(_ life: EffectLife, in engine: Engine) {
        owners.add(life, in: engine.root)
        noteAttention(in: engine)
    }

    /// No longer looks after a life, as it is not needed; under the lock.
    func forget(_ life: EffectLife, in engine: Engine) {
        owners.remove(life)
        noteAttention(in: engine)
    }

    /// Learns of every action while there are instances to look after.
    private func noteAttention(in engine: Engine) {
        guard isAttentive == owners.isEmpty else { return }
        isAttentive.toggle()
        engine.attend(isAttentive)
    }
}

extension Engine {
    /// What looks after the effects of this store.
    ///
    /// For a thread that does not hold the lock, or is inside a reducer.
    var effects: EffectRunner { attached(EffectRunner.self) }

    /// The life of the instance that is at an address now; nil when there is none.
    func life(at place: Place, _ address: Address) -> EffectLife? {
        whole {
            guard place.contains(address, in: root) else { return nil }
            let life = EffectLife(of: place, address)
            attachment(EffectRunner.self).lookAfter(life, in: self)
            return life
        }
    }

    /// No longer looks after a life, as it is not needed.
    func forget(_ life: EffectLife) {
        leaveUnderLock { attachment(EffectRunner.self).forget(life, in: self) }
    }

    /// The instance of a scope; nil when it is gone.
    func instance<Slice>(at place: Place, of scope: EffectScope) -> Slice? {
        whole {
            scope.life?.isOver == true
                ? nil : place.value(of: scope.address, in: root, as: Slice.self)
        }
    }
}
