// SPDX-License-Identifier: MIT
#if Server

public import Onward

/// Which store a page shows.
public enum Hosting<State: Sendable>: Sendable {
    /// One store for everybody: all visitors see and change the same state.
    ///
    /// The store stays its owner's: the server doesn't shut it down.
    case shared(Store<State>)

    /// One store per visitor, known by a random 128-bit cookie (`HttpOnly`, `SameSite=Lax`; `Secure`
    /// by ``ServerOptions/cookiesAreSecure``).
    ///
    /// A visitor's first document gives out the cookie, and shows what a new store has to show. The
    /// visitor's own store begins when the cookie comes back: with the page's event stream, another
    /// document, or an action. A store that had neither a request nor an open stream for `idle` is shut
    /// down and forgotten; the visitor then begins anew.
    ///
    /// With `limit` stores alive, a store in which no one acted makes room for a new visitor or, after a
    /// minute, one whose visitor acted and wasn't seen again. An address that has more than half of the
    /// stores takes only places of its own, and its visitors make room for any other visitor: first those
    /// that have no page open, then those that came last. Where there is no such store, a new visitor is
    /// answered with 503 and a sentence. Behind a proxy, name the header that tells addresses apart:
    /// ``ServerOptions/clientAddressHeader``.
    ///
    /// - Parameters:
    ///   - limit: The largest number of stores alive at once, at least 1.
    ///   - idle: How long a store without visitor is kept.
    ///   - make: Makes the store of a new visitor, and now and then one that is shown to visitors
    ///     without a store, and shut down at once. Called on a thread of its own, so it may take long.
    case perVisitor(limit: Int, idle: Duration, make: @Sendable () -> Store<State>)

    /// One store per visitor, each of whom is known again after a restart of the program.
    ///
    /// Like ``perVisitor(limit:idle:make:)``, but the cookie lives as long as `lifetime`, and a visitor
    /// whose store isn't there any more, because of `idle`, `limit` or a restart, gets another one made
    /// from what the program remembers. The program keeps what it wants to remember under the visitor's
    /// ``VisitorID/fileName``.
    ///
    /// - Parameters:
    ///   - limit: The largest number of stores alive at once, at least 1.
    ///   - idle: How long a store without visitor is kept.
    ///   - lifetime: How long the browser keeps the cookie.
    ///   - open: Makes the store of a visitor: of a new one (true), or of one whose cookie claims to
    ///     be known (false); nil in that case if nothing is remembered, and the visitor then gets a
    ///     new cookie. `requests` are the visitor's answered requests, to be remembered with the
    ///     state. Called on a thread of its own, so it may take long; also called, with a new visitor,
    ///     for a store that is only shown.
    case returningVisitor(
        limit: Int, idle: Duration, lifetime: Duration,
        open:
            @Sendable (
                _ visitor: VisitorID, _ isNew: Bool, _ requests: AnsweredRequests
            ) -> Store<State>?)
}
#endif
