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

/// A participant that calls responders, of a type to which references can be had that are not counted.
final class ResponderCaller: Sendable {
    let participant: any RespondingParticipant

    init(_ participant: any RespondingParticipant) {
        self.participant = participant
    }
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

    /// The participant that responds to the newest commit from the stack, as whose deliverer this thread is
    /// noted; nil where something waits, somebody delivers, or a participant has to note something.
    @inline(__always)
    func claimDirect(
        by route: Route, _ context: DeliveryContext, _ thread: UInt, _ locked: borrowing Locked
    ) -> Unmanaged<ResponderCaller>? {
        guard route.respondsLastingly, let caller = locked.state.attachments.responding,
            caller._withUnsafeGuaranteedRef({ $0.participant.respondsDirectly(locked) }),
            locked.state.subscribersBehind.isEmpty,
            locked.state.deliveryQueue.claim(thread, alone: context.version)
        else { return nil }
        return caller
    }

    /// Has a participant respond to the newest commit, and reports that from the stack.
    @inline(never)
    func respond(
        to type: any Action.Type, _ action: UnsafeRawPointer, at address: Address, by route: Route,
        _ caller: Unmanaged<ResponderCaller>, _ direct: borrowing DirectNotification,
        in root: consuming RootCopy?, on here: (any Actor)?, _ thread: UInt
    ) {
        var rest: (any DeliveryPart)?
        let context = direct.context
        notify(direct, in: root, on: here, thread) {
            rest = caller._withUnsafeGuaranteedRef {
                $0.participant.respond(to: type, action, at: address, by: route, context, in: self)
            }
            return rest != nil
        }
        if let rest {
            rest.notifyAfterSubscribers(context, on: here)
            endCallout()
        }
    }

    /// The same where there are no subscribers to notify, as the optimiser can see here.
    @inline(never)
    func respond(
        to type: any Action.Type, _ action: UnsafeRawPointer, at address: Address, by route: Route,
        _ caller: Unmanaged<ResponderCaller>, _ version: Version, on here: (any Actor)?,
        _ thread: UInt
    ) {
        let context = DeliveryContext(version: version, lastListener: 0)
        var rest: (any DeliveryPart)?
        notify(DirectNotification(context: context, groups: []), in: nil, on: here, thread) {
            rest = caller._withUnsafeGuaranteedRef {
                $0.participant.respond(to: type, action, at: address, by: route, context, in: self)
            }
            return rest != nil
        }
        if let rest {
            rest.notifyAfterSubscribers(context, on: here)
            endCallout()
        }
    }
}
