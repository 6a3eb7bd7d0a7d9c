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
    /// What answers the action with effects; nil for nothing.
    let answered: Answered?
    let change: Change?

    /// An action that has answers.
    struct Answered: Sendable {
        let route: Route
        let action: any Action
        /// Whom it was sent to.
        let address: Address
        /// For each answer the instances that it was meant for; empty where all of these live as long as
        /// their store, so that the address tells them.
        let instances: [[Instance]]
    }

    init(orphans: [EffectLife] = [], answered: Answered? = nil, change: Change? = nil) {
        self.orphans = orphans
        self.answered = answered
        self.change = change
    }
}
