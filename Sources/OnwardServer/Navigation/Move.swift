// SPDX-License-Identifier: MIT
#if Server

/// Where a tab wants to go: the fields `route` and `move` of a post.
struct Move: Hashable, Sendable {
    /// How it gets there.
    enum Kind: String {
        /// It was opened there; a known tab stays where it is.
        case open
        /// By a link or a button.
        case push
        /// By a link or form that replaces the location, such as a search that is being typed.
        case replace
        /// By the browser's history.
        case back, forward
    }

    let kind: Kind
    /// The path and query of its destination; untrusted.
    let url: String
}
#endif
