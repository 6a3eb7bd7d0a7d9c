// SPDX-License-Identifier: MIT

/// What a layer above the core keeps beside an engine, which finds it by its type.
///
/// By the protocols below it takes part in what the engine does.
package protocol Attachment: AnyObject, Sendable {
    /// Made when it is asked for first; does not keep the engine, which keeps it.
    init(in engine: Engine, _ locked: borrowing Locked)

    /// The store has ended; outside the lock.
    func end(in engine: Engine)
}

/// An attachment that has something to report with commits that were held and are delivered as one.
package protocol BatchParticipant: Attachment {
    /// Returns what has to be reported with several commits that are delivered as one from here on.
    func joined(in engine: Engine, _ locked: borrowing Locked) -> (any DeliveryPart)?
}

/// An attachment that takes care of something the features of a store ask for.
package protocol FeaturesObserver: Attachment {
    /// The store has these features from here on; returns what is to be done once the lock is free.
    ///
    /// Features are replaced under the same lock, so that no two sets of features mix.
    func featuresChanged(
        to features: CompiledFeatures, in engine: Engine, _ locked: borrowing Locked
    ) -> () -> Void
}

/// The attachments of an engine, each also by what it takes part in.
///
/// There are only a few, so a list finds one sooner than a table would.
struct AttachmentList: ~Copyable {
    private(set) var all: [any Attachment] = []
    private(set) var participants: [any CommitParticipant] = []
    private(set) var featuresObservers: [any FeaturesObserver] = []
    private var batched: [any BatchParticipant] = []
    /// The one that calls responders, where it is the only one that takes part in commits.
    private(set) var responding: Borrowed<any RespondingParticipant>?

    /// The one of a type; nil when there is none.
    func find<A: Attachment>(_ type: A.Type) -> A? {
        for attachment in all where Swift.type(of: attachment) == type {
            return unsafeDowncast(attachment, to: type)
        }
        return nil
    }

    mutating func add(_ attachment: some Attachment) {
        all.append(attachment)
        if let participant = attachment as? any CommitParticipant {
            participants.append(participant)
            let only = participants.count == 1 ? participant as? any RespondingParticipant : nil
            responding = only.map { Borrowed($0) }
        }
        if let observer = attachment as? any FeaturesObserver { featuresObservers.append(observer) }
        if let participant = attachment as? any BatchParticipant { batched.append(participant) }
    }

    /// Who responds to the actions of a route; nil if nobody does, or if a participant has to note something under the
    /// lock.
    @inline(__always)
    func response(by route: Route, _ locked: borrowing Locked) -> Response? {
        guard route.hasLastingResponders else { return nil }
        switch responding {
        case .some(let participant):
            guard participant.value.respondsDirectly(locked) else { return nil }
            return Response(participant: participant.value, route: route)
        case .none: return nil
        }
    }

    /// What attachments have to report with commits that are delivered as one.
    func joined(in engine: Engine, _ locked: borrowing Locked) -> [any DeliveryPart] {
        batched.compactMap { $0.joined(in: engine, locked) }
    }
}

extension Engine {
    /// What a layer keeps beside this engine, which is made when it is asked for first.
    package func attachment<A: Attachment>(_ type: A.Type, _ locked: borrowing Locked) -> A {
        if let attachment = locked.state.attachments.find(type) { return attachment }
        let new = A(in: self, locked)
        locked.state.attachments.add(new)
        return new
    }

    /// The same for a thread that does not hold the lock, or is inside a reducer.
    package func attached<A: Attachment>(_ type: A.Type) -> A {
        withLockAnywhere { attachment(type, $0) }
    }

    /// Makes the attachments that the features need, and has all look after these features; returns
    /// what is to be done once the lock is free.
    func notifyFeaturesObservers(_ locked: borrowing Locked) -> [() -> Void] {
        let features = locked.state.features
        for case let required as RequiredAttachment in features.extensions {
            attach(required.type, locked)
        }
        return locked.state.attachments.featuresObservers.map {
            $0.featuresChanged(to: features, in: self, locked)
        }
    }

    private func attach<A: Attachment>(_ type: A.Type, _ locked: borrowing Locked) {
        _ = attachment(type, locked)
    }
}

extension FeatureCompiler {
    /// Makes an attachment of a type in each store with these features.
    package func require(_ type: any Attachment.Type) {
        add(RequiredAttachment(type: type))
    }
}

/// Requires an attachment in a store with some features.
private struct RequiredAttachment: FeatureExtension {
    let type: any Attachment.Type
}

/// An attachment that takes part in commits: it learns under the lock what was reduced, and reports
/// it in its turn among the deliveries.
///
/// It learns of the actions that have responders, and of all others while it asks for these
/// (`Engine.attend`).
package protocol CommitParticipant: Attachment {
    /// An action was reduced on a route, as a version; returns what to report in the turn of its
    /// commit, mostly nothing.
    func reduced(
        _ dispatch: borrowing Dispatch, by route: Route, as version: CommitVersion,
        in engine: Engine,
        _ locked: borrowing Locked
    ) -> (any DeliveryPart)?

    /// The gate is travelled or live from here on, perhaps with another state; returns what to
    /// report in turn.
    func gatesChanged(
        to state: CommitGateState, in engine: Engine, _ locked: borrowing Locked
    ) -> (any DeliveryPart)?
}

/// A participant that calls responders, and needs no object for that where nothing waits.
package protocol RespondingParticipant: CommitParticipant {
    /// Whether it has nothing to note under the lock of a route whose responders live as long as
    /// the store.
    func respondsDirectly(_ locked: borrowing Locked) -> Bool

    /// Calls the responders of a route to an action; returns what is to be done when the
    /// subscribers have been notified, usually nothing.
    ///
    /// By the deliverer. The caller keeps the arguments alive, so that no references need be
    /// counted.
    func respond(
        to dispatch: borrowing Dispatch, by route: Route, _ context: DeliveryContext,
        in engine: Engine
    ) -> (any DeliveryPart)?
}

/// How a store shows its state.
package enum CommitGateState: Sendable {
    /// Another state than that of the last action: nothing starts.
    case travelled
    case live
}

extension Engine {
    /// Has participants learn of every action, until it is taken back; for one participant.
    package func attend(_ isWanted: Bool, _ locked: borrowing Locked) {
        locked.state.attention += isWanted ? 1 : -1
    }

    /// What participants have to report an action.
    func parts(
        of dispatch: borrowing Dispatch, by route: Route, as version: CommitVersion,
        _ locked: borrowing Locked
    ) -> [any DeliveryPart] {
        var parts: [any DeliveryPart] = []
        for participant in locked.state.attachments.participants {
            let part = participant.reduced(dispatch, by: route, as: version, in: self, locked)
            if let part { parts.append(part) }
        }
        return parts
    }

    /// What participants have to say when the gate is travelled, or the store lives on.
    func parts(
        of state: CommitGateState, _ locked: borrowing Locked
    ) -> [any DeliveryPart] {
        locked.state.attachments.participants.compactMap {
            $0.gatesChanged(to: state, in: self, locked)
        }
    }
}
