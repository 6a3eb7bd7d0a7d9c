// SPDX-License-Identifier: MIT
#if Server

/// A request's visitor.
struct Visit<State: Sendable>: Sendable {
    let session: Session<State>
    /// The visitor; nil if all share one store.
    let visitor: VisitorID?
    /// The cookie to set; nil if there is none.
    var cookie: NewCookie?
    /// Whether the store is only shown, because the visitor has none yet.
    var isPreview = false

    /// The sender, for a page that examines what is posted.
    var poster: ActionSender { ActionSender(visitor: visitor, own: session.own) }

    /// A cookie that a visitor gets.
    struct NewCookie: Sendable {
        /// How long the browser keeps it; nil until the browser is closed.
        let lifetime: Duration?
    }

    /// The visitor for whom a page is drawn: whose store it is, or who asks for it.
    func asker(_ caller: Caller) -> ClientAddress {
        visitor == nil || isPreview || session.own != nil ? caller.address : .local
    }
}
#endif
