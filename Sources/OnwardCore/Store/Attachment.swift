// SPDX-License-Identifier: MIT

/// What a layer above the core keeps beside an engine, which finds it by its type.
///
/// By the protocols below it takes part in what the engine does.
package protocol Attachment: AnyObject, Sendable {
    /// Made under the engine's lock when it is first asked for; does not keep the engine, which keeps it.
    init(in engine: Engine)

    /// The store has ended; outside the lock.
    func end(in engine: Engine)
}

/// An attachment that has something to tell with commits that were held and are told as one.
package protocol BatchParticipant: Attachment {
    /// Several commits are told as one from here on; returns what has to be told with them.
    ///
    /// Under the engine's lock.
    func joined() -> (any DeliveryPart)?
}

/// An attachment that looks after something which the features of a store ask for.
package protocol ProgramFollower: Attachment {
    /// The store has these features from here on; returns what is to be done once the lock is free.
    ///
    /// Under the engine's lock, in which features are replaced too, so that no two programs mix.
    func follow(_ program: Program, in engine: Engine) -> () -> Void
}

/// The attachments of an engine, each also by what it takes part in; guarded by the engine's lock.
///
/// There are only a few, so a list finds one sooner than a table would.
struct AttachmentList {
    private(set) var all: [any Attachment] = []
    private(set) var participants: [any CommitParticipant] = []
    private(set) var followers: [any ProgramFollower] = []
    private var batched: [any BatchParticipant] = []
    /// The one that calls responders, where it is the only one that takes part in commits.
    private(set) var responding: (any RespondingParticipant)?

    /// The one of a type, which is made when there is none.
    mutating func find<A: Attachment>(_ type: A.Type, in engine: Engine) -> A {
        for attachment in all where Swift.type(of: attachment) == type {
            return unsafeDowncast(attachment, to: type)
        }
        let new = A(in: engine)
        add(new)
        return new
    }

    private mutating func add(_ attachment: some Attachment) {
        all.append(attachment)
        if let participant = attachment as? any CommitParticipant {
            participants.append(participant)
            responding =
                participants.count == 1 ? participant as? any RespondingParticipant : nil
        }
        if let follower = attachment as? any ProgramFollower { followers.append(follower) }
        if let participant = attachment as? any BatchParticipant { batched.append(participant) }
    }

    /// What attachments have to tell with commits that are told as one.
    func joined() -> [any DeliveryPart] { batched.compactMap { $0.joined() } }
}

extension Engine {
    /// What a layer keeps beside this engine.
    ///
    /// Under the lock.
    package func attachment<A: Attachment>(_ type: A.Type) -> A { attachments.find(type, in: self) }

    /// The same for a thread that does not hold the lock, or is inside a reducer.
    package func attached<A: Attachment>(_ type: A.Type) -> A {
        leaveUnderLock { attachment(type) }
    }

    /// Makes the attachments that the features need, and passes these features to all of them; returns
    /// what is to be done once the lock is free.
    ///
    /// Under the lock.
    func followProgram() -> [() -> Void] {
        for type in program.attachments { attach(type) }
        return attachments.followers.map { $0.follow(program, in: self) }
    }

    /// Whether the store lives; under the lock.
    package var timelineState: TimelineState { timelines.state }

    private func attach<A: Attachment>(_ type: A.Type) { _ = attachment(type) }
}
