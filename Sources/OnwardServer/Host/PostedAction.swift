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
        /// It isn't to be applied, as the state doesn't allow it or nothing is left to do; this has become of it.
        case decline(PostOutcome)
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
#endif
