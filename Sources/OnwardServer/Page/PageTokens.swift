// SPDX-License-Identifier: MIT
#if Server

/// The demands of a page's forms on the state, as drawn: the page's token and named ones.
struct PageTokens: Hashable, Sendable {
    /// The page's own; empty if it has none.
    var page = ""
    /// The others, by name.
    var named: [String: String] = [:]
}

/// How the tokens of a page are derived from a state.
struct PageExpectations<State: Sendable>: Sendable {
    var page: (@Sendable (State) -> String)?
    var named: [String: @Sendable (State) -> String] = [:]

    /// The tokens of a state.
    func draw(_ state: State) -> PageTokens {
        PageTokens(page: page?(state) ?? "", named: named.mapValues { $0(state) })
    }

    /// Whether a post's demands still hold; a token that the page doesn't have never does.
    func hold(in state: State, for post: Post) -> Bool {
        if let expected = post.expects, let page, page(state) != expected { return false }
        return post.namedExpects.allSatisfy { name, expected in
            named[name].map { $0(state) == expected } ?? false
        }
    }
}
#endif
