// SPDX-License-Identifier: MIT
#if Server

/// Where a tab wants to go: the fields `route` and `move` of a post.
struct Move: Hashable, Sendable {
    /// How it gets there.
    enum Kind: String {
        /// It has opened there; a tab that is known stays where it is.
        case open
        /// By a link or a button.
        case push
        /// By a link or a form that goes on where the tab is, as a search that is being typed does.
        case replace
        /// By the browser's history.
        case back, forward
    }

    let kind: Kind
    /// The path and query it wants to go to; untrusted.
    let url: String
}
#endif
