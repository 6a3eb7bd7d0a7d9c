// SPDX-License-Identifier: MIT

/// An attachment that takes part in commits: it learns under the lock what was reduced, and tells of it in
/// its turn among the deliveries.
///
/// It learns of the actions that have responders, and of all others while it asks for these
/// (`Engine.attend`).
package protocol CommitParticipant: Attachment {
    /// An action was reduced; returns what to tell in the turn of its commit, usually nothing.
    ///
    /// Under the engine's lock.
    func reduced(_ action: borrowing ReducedAction, in engine: Engine) -> (any DeliveryPart)?

    /// The timeline is travelled or live from here on, perhaps with another state; returns what to tell in turn.
    ///
    /// Under the engine's lock.
    func timelineChanged(to state: TimelineState, in engine: Engine) -> (any DeliveryPart)?
}

/// A participant that calls responders, and needs no object for that where nothing waits.
package protocol RespondingParticipant: CommitParticipant {
    /// Whether it has nothing to note under the lock for a route whose responders live as long as the store.
    ///
    /// Under the engine's lock.
    var respondsDirectly: Bool { get }

    /// Calls the responders of a route to an action, which the pointer points to; returns what is to be told
    /// when the subscribers have been told, usually nothing.
    ///
    /// By the deliverer. The caller keeps the arguments alive, so that no references need be counted.
    func respond(
        to type: any Action.Type, _ action: UnsafeRawPointer, at address: Address,
        by route: Route, _ context: DeliveryContext, in engine: Engine
    ) -> (any DeliveryPart)?
}

/// How a store shows its state.
package enum TimelineState: Sendable {
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
    /// Has participants learn of every action, until that is taken back; on behalf of one participant.
    ///
    /// Under the lock.
    package func attend(_ isWanted: Bool) {
        attention += isWanted ? 1 : -1
    }

    /// What participants have to tell of an action.
    ///
    /// Under the lock.
    func parts(of action: borrowing ReducedAction) -> [any DeliveryPart] {
        var parts: [any DeliveryPart] = []
        for participant in attachments.participants {
            if let part = participant.reduced(action, in: self) { parts.append(part) }
        }
        return parts
    }

    /// What participants have to tell when the timeline is travelled, or the store goes live again.
    ///
    /// Under the lock.
    func parts(of state: TimelineState) -> [any DeliveryPart] {
        attachments.participants.compactMap { $0.timelineChanged(to: state, in: self) }
    }

    /// Tells of the newest commit from the stack, responses first; false, and nothing is done, where
    /// something waits, another thread delivers, or a participant has to note something.
    ///
    /// The caller holds the lock, which is released here when the commit is told.
    @inline(__always)
    func tellDirectly(
        _ type: any Action.Type, _ action: UnsafeRawPointer, to address: Address, by route: Route,
        _ context: DeliveryContext, _ groups: [SelectionGroup], on here: (any Actor)?,
        _ thread: UInt
    ) -> Bool {
        guard route.respondsLastingly, let participant = attachments.responding,
            participant.respondsDirectly, behind.isEmpty,
            outbox.claim(thread, alone: context.version)
        else { return false }
        var rest: (any DeliveryPart)?
        tell(groups, of: context, on: here, thread) {
            rest = participant.respond(
                to: type, action, at: address, by: route, context, in: self)
            // Until that is told, nothing may take the store to be at rest.
            if rest != nil { lock.withLock { callouts += 1 } }
        }
        if let rest {
            rest.tellAfterSubscribers(of: self, context, on: here)
            endCallout()
        }
        return true
    }
}
