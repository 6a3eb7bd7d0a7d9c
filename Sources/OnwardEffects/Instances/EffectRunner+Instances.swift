// SPDX-License-Identifier: MIT

internal import OnwardCore

// The instances that effects belong to. They are tracked under the store's lock.

extension EffectRunner {
    /// The instances of a responder that an address names, with their state if the responder takes
    /// it; their lifetimes are tracked from here on.
    ///
    /// They are determined at the commit, not later when the closures are called: by then an
    /// instance may be gone, and another one may be at its address.
    func instances(
        of responder: Responder, at address: Address, in engine: Engine, _ locked: borrowing Locked
    ) -> [CommitEffects.Instance] {
        let lens = responder.lens
        guard address.includes(lens.steps) else { return [] }
        var instances: [CommitEffects.Instance] = []
        lens.look(at: address, in: locked.root) { rows, _ in
            var lifetime: InstanceLifetime?
            if lens.finder != nil {
                lifetime = self.lifetime(of: lens, at: rows, in: engine, locked)
                if lifetime == nil { return }
            }
            let address = lifetime?.address ?? lens.address(of: rows)
            let closure = unsafeDowncast(responder.target, to: EffectClosure.self)
            instances.append(
                CommitEffects.Instance(
                    address: address, lifetime: lifetime,
                    state: responder.takesState
                        ? closure.copyState(of: address, in: locked.root) : nil))
        }
        return instances
    }

    /// The effects whose instance is gone from the engine's current state.
    func takeOrphans(
        in engine: Engine, _ locked: borrowing Locked, where mayHaveChanged: (Range<Int>) -> Bool
    ) -> InstanceLifetimes.Orphans {
        guard !lifetimes.isEmpty else { return InstanceLifetimes.Orphans() }
        let orphans = lifetimes.orphans(in: locked.root, locked, where: mayHaveChanged)
        noteAttention(in: engine, locked)
        return orphans
    }

    /// The lifetime of an instance, held for the caller; nil when there is no such instance.
    func lifetime(
        of lens: SliceLens, at rows: [RowKey], in engine: Engine, _ locked: borrowing Locked
    ) -> InstanceLifetime? {
        let lifetime = lifetimes.lifetime(of: lens, at: rows, in: locked.root)
        noteAttention(in: engine, locked)
        return lifetime
    }

    /// Stops tracking a lifetime that is no longer needed, unless it is needed again; returns what
    /// is to be released outside the lock.
    func forget(
        _ lifetime: InstanceLifetime, in engine: Engine, _ locked: borrowing Locked
    ) -> [any Sendable] {
        guard !lifetime.isHeld else { return [] }
        let rest = lifetimes.remove(lifetime)
        noteAttention(in: engine, locked)
        return rest
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

    /// The lifetime of an instance that a follower has seen; nil when it is no longer there.
    func lifetime(
        at lens: SliceLens, of leaf: InstanceLeaf, for follower: some InstanceFollower
    ) -> InstanceLifetime? {
        whole { locked in
            // The row that it has seen may have another id by now, and another row that id.
            follower.lookAgain(at: locked.root, locked)
            if leaf.isEnded { return nil }
            let lifetime = attachment(EffectRunner.self, locked).lifetime(
                of: lens, at: leaf.rows, in: self, locked)
            if let lifetime {
                lifetime.add(follower, leaf, locked)
            } else {
                // What comes to its address until the follower looks again is another one.
                follower.replace(leaf, locked)
            }
            return lifetime
        }
    }

    /// Stops tracking a lifetime that is no longer needed.
    func forget(_ lifetime: InstanceLifetime) {
        let rest = withLockAnywhere {
            attachment(EffectRunner.self, $0).forget(lifetime, in: self, $0)
        }
        withExtendedLifetime(rest) {}
    }

    /// The instance of an owner; nil when it is gone.
    func instance<Slice>(at lens: SliceLens, of owner: EffectOwner) -> Slice? {
        whole { locked in
            owner.lifetime?.isOver == true
                ? nil : lens.value(of: owner.address, in: locked.root, as: Slice.self)
        }
    }
}
