// SPDX-License-Identifier: MIT

/// What one commit means for effects; told in its turn among the deliveries.
final class EffectCue: Sendable {
    /// An instance as it was in the commit.
    struct Instance: Sendable {
        let address: Address
        /// Nil where the instance lives as long as its store.
        let life: EffectLife?
    }

    /// Whether effects may run from here on.
    enum Change: Sendable {
        case pause
        case resume
    }

    /// The effects whose instance went away with the commit.
    let orphans: [EffectLife]
    /// What answers the action with effects, each with the instances it was meant for.
    let reactions: [(reaction: Reaction, instances: [Instance])]
    let action: (any Action)?
    let change: Change?

    init(
        orphans: [EffectLife] = [], reactions: [(Reaction, [Instance])] = [],
        action: (any Action)? = nil, change: Change? = nil
    ) {
        self.orphans = orphans
        self.reactions = reactions
        self.action = action
        self.change = change
    }
}
