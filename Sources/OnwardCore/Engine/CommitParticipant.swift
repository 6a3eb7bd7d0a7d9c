// SPDX-License-Identifier: MIT

/// An attachment that takes part in commits: it learns under the lock what was reduced, and reports it in
/// its turn among the deliveries.
///
/// It learns of the actions that have responders, and of all others while it asks for these
/// (`Engine.attend`).
package protocol CommitParticipant: Attachment {
    /// An action was reduced; returns what to notify in the turn of its commit, mostly nothing.
    func reduced(
        _ action: borrowing ReducedAction, in engine: Engine, _ locked: borrowing Locked
    ) -> (any DeliveryPart)?

    /// The gate is travelled or live from here on, perhaps with another state; returns what to notify in turn.
    func timelineChanged(
        to state: CommitGateState, in engine: Engine, _ locked: borrowing Locked
    ) -> (any DeliveryPart)?
}

/// A participant that calls responders, and needs no object for that where nothing waits.
package protocol RespondingParticipant: CommitParticipant {
    /// Whether it has nothing to note under the lock of a route whose responders live as long as the store.
    func respondsDirectly(_ locked: borrowing Locked) -> Bool

    /// Calls the responders of a route to an action, which the pointer points to; returns what is to be notified
    /// when the subscribers have been notified, usually nothing.
    ///
    /// By the deliverer. The caller keeps the arguments alive, so that no references need be counted.
    func respond(
        to type: any Action.Type, _ action: UnsafeRawPointer, at address: Address,
        by route: Route, _ context: DeliveryContext, in engine: Engine
    ) -> (any DeliveryPart)?
}

/// How a store shows its state.
package enum CommitGateState: Sendable {
    /// Another state than that of the last action: nothing starts.
    case travelled
    case live
}

/// An action that was reduced just now, for the time of a call.
package struct ReducedAction: ~Copyable {
    package let route: Route
    package let type: any Action.Type
    /// Points to an initialised value of `type`.
    package let pointer: UnsafeRawPointer
    package let address: Address
    package let version: Version

    /// The action to keep.
    package var boxed: any Action { box(pointer, as: type) }
}

extension Engine {
    /// Has participants learn of every action, until it is taken back; for one participant.
    package func attend(_ isWanted: Bool, _ locked: borrowing Locked) {
        locked.state.attention += isWanted ? 1 : -1
    }

    /// What participants have to report an action.
    func parts(
        of action: borrowing ReducedAction, _ locked: borrowing Locked
    ) -> [any DeliveryPart] {
        var parts: [any DeliveryPart] = []
        for participant in locked.state.attachments.participants {
            if let part = participant.reduced(action, in: self, locked) { parts.append(part) }
        }
        return parts
    }

    /// What participants have to say when the gate is travelled, or the store lives on.
    func parts(
        of state: CommitGateState, _ locked: borrowing Locked
    ) -> [any DeliveryPart] {
        locked.state.attachments.participants.compactMap {
            $0.timelineChanged(to: state, in: self, locked)
        }
    }

    /// The participant that responds to an action when it is delivered at once; nil where a participant has to note
    /// something under the lock.
    @inline(__always)
    func respondent(
        to route: Route, _ locked: borrowing Locked
    ) -> (any RespondingParticipant)? {
        guard route.respondsLastingly, let participant = locked.state.attachments.responding,
            participant.respondsDirectly(locked)
        else { return nil }
        return participant
    }
}
