// SPDX-License-Identifier: MIT

internal import DequeModule

/// What the thread that holds the turn is notifying of.
///
/// Everything here belongs to that thread, and to nobody while the turn is free: it is filled under the lock when the turn
/// is taken, and used without it.
final class Round: @unchecked Sendable {  // As said above.
    /// The commits that it notifies of, as one.
    @exclusivity(unchecked) var context = DeliveryContext(version: 0)
    /// The version of the state that it shows.
    @exclusivity(unchecked) var version: CommitVersion = 0
    /// The groups whose selection may have changed.
    @exclusivity(unchecked) var groups: [SubscriberGroup] = []
    /// Whether the groups were marked by several commits, each with a context of its own.
    @exclusivity(unchecked) var isJoined = false
    /// The state from which groups compute their values.
    @exclusivity(unchecked) var root: RootCopy?
    /// What attachments do for commits; usually nothing.
    @exclusivity(unchecked) var parts: [PendingPart] = []
    /// Who responds to the action, where it is notified of alone.
    @exclusivity(unchecked) var response: Response?
    /// What its holder has collected.
    let calls = CollectedCalls()
    /// What follows from rounds, one step after another.
    @exclusivity(unchecked) var answers = Deque<PendingPart>()

    /// Whether an action is responded to.
    var responds: Bool {
        @inline(__always) get {
            switch response {
            case .some: true
            case .none: false
            }
        }
    }

    /// Has the participant respond.
    @inline(__always)
    func respond(
        to dispatch: borrowing Dispatch, _ context: DeliveryContext, in engine: Engine
    ) -> (any DeliveryPart)? {
        switch response {
        case .some(let response):
            response.participant.respond(to: dispatch, by: response.route, context, in: engine)
        case .none: nil
        }
    }

    /// Whether there is nothing else to do.
    var onlyResponds: Bool {
        @inline(__always) get { responds && groups.isEmpty }
    }

    /// Takes out the groups and the commits that they are notified of.
    @inline(__always)
    func take() -> ([SubscriberGroup], DeliveryContext) {
        var taken = (groups: [SubscriberGroup](), context: DeliveryContext(version: 0))
        swap(&taken.groups, &groups)
        swap(&taken.context, &context)
        return taken
    }
}

/// What is done in a round besides calling subscribers, for one commit.
package protocol DeliveryPart: AnyObject, Sendable {
    /// Called by the holder of the turn before the subscribers.
    func notifyBeforeSubscribers(_ context: DeliveryContext)

    /// Takes the next step when the subscribers have been notified; false if it was the last one.
    ///
    /// What a step commits is notified before the next step. Called by the holder of the turn, which runs on the actor
    /// `here`.
    func proceed(_ context: DeliveryContext, on here: (any Actor)?) -> Bool
}

/// A part and the commit that it is for.
struct PendingPart {
    let part: any DeliveryPart
    let context: DeliveryContext
}

/// Who responds to an action, on the thread that has committed it.
///
/// It is used in place, because each copy would count references.
struct Response: ~Copyable {
    let participant: any RespondingParticipant
    let route: Route
}

/// A call that is made by the holder of the turn, apart from any commit.
private final class ExtraPart: DeliveryPart {
    private let call: @Sendable () -> Void

    init(_ call: @escaping @Sendable () -> Void) {
        self.call = call
    }

    func notifyBeforeSubscribers(_ context: DeliveryContext) { call() }

    func proceed(_ context: DeliveryContext, on here: (any Actor)?) -> Bool { false }
}

extension Engine {
    /// Has a call made by the holder of the turn, which this thread becomes if there is none.
    func callInTurn(_ call: @escaping @Sendable () -> Void) {
        let thread = CurrentThread.id
        let isMine = withLock(as: thread) { locked in
            let context = DeliveryContext(version: locked.state.version)
            return submit([], [ExtraPart(call)], context, thread, locked)
        }
        if isMine { makeRounds(on: nil, thread) }
    }
}
