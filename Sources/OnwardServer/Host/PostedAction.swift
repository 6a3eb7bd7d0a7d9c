// SPDX-License-Identifier: MIT
#if Server

public import Onward

/// What a page's post asks of a store: an action, once what it demands of the state has been looked at.
///
/// Whoever hosts a store in a way of its own applies it: see ``HostedStore``.
public struct PostedAction<State: Sendable>: Sendable {
    /// What a state says about the action.
    public enum Decision: Sendable {
        /// It may be applied: this action, to the instance at an address, or to all that handle it.
        case apply(any Action, to: Address?)
        /// The state doesn't allow it, or there is nothing left to do.
        case decline(PostRefusal)
    }

    /// Names the action: the same however often, and to whichever server, the post is sent.
    public let id: String
    /// The version of the page from which it was sent first, see ``SharedLog``; nil where the post doesn't say.
    public let since: Version?
    /// Whether the decision may be another one when the state changes.
    ///
    /// Then the action has to be applied to the very state that was decided on, or decided anew.
    public let isConditional: Bool
    /// The file for the origin of the action's entry.
    public let file: String
    private let body: @Sendable (State) -> Decision

    init(
        id: String, since: Version?, isConditional: Bool, file: String,
        decide: @escaping @Sendable (State) -> Decision
    ) {
        (self.id, self.since, self.isConditional, self.file) = (id, since, isConditional, file)
        body = decide
    }

    /// What becomes of the action on a state: looks at the page's tokens, and asks its admission.
    public func decide(on state: State) -> Decision { body(state) }
}

/// What became of a ``PostedAction``.
public enum PostOutcome: Sendable {
    /// The store has taken it, or not, for this reason.
    case dispatched(DispatchResult)
    /// The state didn't allow it; nothing was done.
    case declined(PostRefusal)
    /// It won't be done, for a reason that the sender reads. It isn't tried again.
    case refused(String)
    /// Nobody can take it now, for a reason that the sender reads: sent again with the same id it may be done.
    case unavailable(String)
}

/// Why a state doesn't allow a ``PostedAction``; the sender of the post reads it.
public struct PostRefusal: Sendable, Hashable {
    /// Nil where nothing is left to do.
    let answer: Answer?
}
#endif
