// SPDX-License-Identifier: MIT
#if Server

/// A request's visitor.
struct Visit<State: Sendable>: Sendable {
    let session: Session<State>
    /// The visitor; nil where all share one store.
    let visitor: VisitorID?
    /// How the cookie is to be given out; nil when there is nothing to give.
    var cookie: NewCookie?
    /// Whether the store is only shown, because the visitor has none yet.
    var isPreview = false

    /// Who it is for a page that looks at what is posted.
    var poster: Poster { Poster(visitor: visitor, own: session.own) }

    /// A cookie that a visitor gets.
    struct NewCookie: Sendable {
        /// How long the browser is to keep it; until it is closed if nil.
        let lifetime: Duration?
    }

    /// The visitor for whom a page is drawn: whose store it is, or who asks for it.
    func asker(_ caller: Caller) -> ClientAddress {
        visitor == nil || isPreview || session.own != nil ? caller.address : .local
    }
}
#endif
