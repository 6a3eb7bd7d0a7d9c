// SPDX-License-Identifier: MIT

/// What one commit means for effects; told in its turn among the deliveries.
final class EffectCue: Sendable {
    /// Whether effects may run from here on.
    enum Change: Sendable {
        case pause
        case resume
    }

    /// The effects whose instance went away with the commit.
    let orphans: [EffectScope]
    /// What answers the action with effects, each with the instances it was meant for.
    let reactions: [(reaction: Reaction, instances: [Address])]
    let action: (any Action)?
    let change: Change?

    init(
        orphans: [EffectScope] = [], reactions: [(Reaction, [Address])] = [],
        action: (any Action)? = nil, change: Change? = nil
    ) {
        self.orphans = orphans
        self.reactions = reactions
        self.action = action
        self.change = change
    }
}
