// SPDX-License-Identifier: MIT
#if Server

public import Onward

/// Whose store a page shows.
public enum Hosting<State: Sendable>: Sendable {
    /// One store for everybody: all visitors see and change the same state.
    ///
    /// The store stays its owner's: the server doesn't shut it down.
    case shared(Store<State>)

    /// One store per visitor, known by a random 128-bit cookie (`HttpOnly`, `SameSite=Lax`; `Secure`
    /// by ``ServerOptions/cookiesAreSecure``).
    ///
    /// The first GET of a visitor makes a store. One that had neither a request nor an open stream
    /// for `idle` is shut down and forgotten; the visitor then begins anew. With `limit` stores
    /// alive a new visitor is answered with 503 and a sentence, and nobody loses a store.
    ///
    /// - Parameters:
    ///   - limit: The largest number of stores alive at once, at least 1.
    ///   - idle: How long a store without visitor is kept.
    ///   - make: Makes the store of a new visitor. Called on the server's threads.
    case perVisitor(limit: Int, idle: Duration, make: @Sendable () -> Store<State>)

    /// One store per visitor, who is known again after a restart of the program.
    ///
    /// Like ``perVisitor(limit:idle:make:)``, but the cookie lives as long as `lifetime`, and a visitor
    /// whose store isn't there any more, because of `idle` or a restart, gets another one made from what
    /// the program remembers. The program keeps what it wants to remember under the visitor's
    /// ``VisitorID/fileName``.
    ///
    /// - Parameters:
    ///   - limit: The largest number of stores alive at once, at least 1.
    ///   - idle: How long a store without visitor is kept.
    ///   - lifetime: How long the browser keeps the cookie.
    ///   - open: Makes the store of a visitor: of a new one (true), or of one whose cookie claims to
    ///     be known (false); nil in that case if nothing is remembered, and the visitor then gets a
    ///     new cookie. Called on the server's threads.
    case returningVisitor(
        limit: Int, idle: Duration, lifetime: Duration,
        open: @Sendable (_ visitor: VisitorID, _ isNew: Bool) -> Store<State>?)
}
#endif
