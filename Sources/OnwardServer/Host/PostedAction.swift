// SPDX-License-Identifier: MIT
#if Server

public import Onward

/// What a page's post requests of a store: an action, after checking its demands on the state.
///
/// Code that hosts a store in a custom way applies it: see ``HostedStore``.
public struct PostedAction<State: Sendable>: Sendable {
    /// A state's decision about the action.
    public enum Decision: Sendable {
        /// It may be applied: this action, to the instance at an address or to all that handle it.
        case apply(any Action, to: Address?)
        /// The state doesn't allow it, or there is nothing left to do.
        case decline(PostRefusal)
    }

    /// Identifies the action, however often and to whichever server the post is sent.
    public let id: String
    /// The version of the page that first sent it, see ``SharedLog``; nil if it isn't stated.
    public let since: CommitVersion?
    /// Whether the decision may change when the state does.
    ///
    /// If so, the action has to be applied to exactly the state that was decided on, or redecided.
    public let isConditional: Bool
    /// The file for the origin of the action's entry.
    public let file: String
    private let body: @Sendable (State) -> Decision

    init(
        id: String, since: CommitVersion?, isConditional: Bool, file: String,
        decide: @escaping @Sendable (State) -> Decision
    ) {
        (self.id, self.since, self.isConditional, self.file) = (id, since, isConditional, file)
        body = decide
    }

    /// Decides about the action on a state, by the page's tokens and its admission.
    public func decide(on state: State) -> Decision { body(state) }
}

/// What became of a ``PostedAction``.
public enum PostOutcome: Sendable {
    /// The store accepted it or not, for this reason.
    case dispatched(DispatchResult)
    /// The state didn't allow it; nothing was done.
    case declined(PostRefusal)
    /// It won't be done, for a reason that is shown to the sender, and isn't tried again.
    case refused(String)
    /// Nobody can take it now, for a reason that the sender reads; sent again, it may be done.
    case unavailable(String)
}

/// Why a state doesn't allow a ``PostedAction``; shown to the sender of the post.
public struct PostRefusal: Sendable, Hashable {
    /// Nil if nothing is left to do.
    let answer: Answer?
}
#endif
