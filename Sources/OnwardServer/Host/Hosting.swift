// SPDX-License-Identifier: MIT
#if Server

import Dispatch
public import Onward
public import OnwardJournal

/// Which store a page shows: one for everybody, or one for each visitor; kept in memory, or in journals.
///
/// A store whose log a journal keeps loses nothing that a page has shown: its posts are answered, and its pages drawn, with
/// what has reached the level of the journal (see `Persistence` of `OnwardJournal`). After a restart, also behind
/// a kill by the system, an open page goes on by itself, and a post that waited for its answer is dispatched
/// once. While the journal fails, posts and documents are answered with 503, and open pages stay as they are.
public struct Hosting<State: Sendable>: Sendable {
    enum Kind: Sendable {
        case shared(HostedStore<State>)
        case visitors(VisitorHosting<State>)
    }

    let kind: Kind

    /// One store for everybody, hosted in a way of its own.
    ///
    /// The store stays its owner's: the server doesn't shut it down.
    public static func shared(_ store: HostedStore<State>) -> Hosting {
        Hosting(kind: .shared(store))
    }

    /// One store per visitor, each hosted in a way of its own.
    ///
    /// Like ``perVisitor(limit:idle:make:)``, but with a lifetime the cookie lives as long, and `open` is asked for
    /// visitors that this server doesn't know as well.
    ///
    /// - Parameters:
    ///   - limit: The largest number of stores alive at once, at least 1.
    ///   - idle: How long a store without visitor is kept.
    ///   - lifetime: How long the browser keeps the cookie; nil for as long as the browser runs.
    ///   - open: Opens a store; nil if nothing is known of the visitor, who then gets a new cookie. What it throws is
    ///     logged, and answered with 503.
    /// - Returns: The hosting.
    public static func perVisitor(
        limit: Int, idle: Duration, lifetime: Duration?,
        open: @escaping @Sendable (StoreOpening) async throws -> HostedStore<State>?
    ) -> Hosting {
        let visitors = VisitorHosting<State>(limit: limit, idle: idle, lifetime: lifetime) {
            opening, _ in try await open(opening)
        }
        return Hosting(kind: .visitors(visitors))
    }

    /// One store for everybody: all visitors see and change the same state.
    ///
    /// The store stays its owner's: the server doesn't shut it down.
    public static func shared(_ store: Store<State>) -> Hosting {
        shared(HostedStore(store))
    }

    /// One store for everybody, kept in a journal.
    ///
    /// ```swift
    /// let game = try await Persistence(of: Game(), in: SQLiteJournal(at: path)) { rules }
    /// try await PageServer(page, hosting: .shared(game)).run()
    /// try await game.shutdown()
    /// ```
    ///
    /// The store stays its owner's: the server doesn't shut it down.
    public static func shared(_ store: Persistence<State>) -> Hosting where State: Codable {
        shared(HostedStore(store))
    }

    /// One store per visitor, known by a random 128-bit cookie (`HttpOnly`, `SameSite=Lax`; `Secure`
    /// by ``ServerOptions/cookiesAreSecure``).
    ///
    /// A visitor's first document gives out the cookie, and shows what a new store has to show; what the
    /// effects of one have fetched in its first moments may be part of it. The visitor's own store begins
    /// when the cookie comes back: with the page's event stream, another document, or an action. A store that had neither a request nor an open stream for `idle` is shut
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
    /// - Returns: The hosting.
    public static func perVisitor(
        limit: Int, idle: Duration, make: @escaping @Sendable () -> Store<State>
    ) -> Hosting {
        let visitors = VisitorHosting<State>(limit: limit, idle: idle) { opening, _ in
            guard case .returning = opening else {
                return await onThreadOfItsOwn { make() }.map { HostedStore($0) }
            }
            return nil
        }
        return Hosting(kind: .visitors(visitors))
    }

    /// One store per visitor, each of whom is known again after a restart of the program.
    ///
    /// Like ``perVisitor(limit:idle:make:)``, but the cookie lives as long as `lifetime`, and a visitor
    /// whose store isn't there any more, because of `idle`, `limit` or a restart, gets another one made
    /// from what the program remembers. The program keeps what it wants to remember under the visitor's
    /// ``VisitorID/fileName``. To have all of it remembered, use
    /// ``returningVisitor(limit:idle:lifetime:in:open:)``.
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
    /// - Returns: The hosting.
    public static func returningVisitor(
        limit: Int, idle: Duration, lifetime: Duration,
        open:
            @escaping @Sendable (
                _ visitor: VisitorID, _ isNew: Bool, _ requests: AnsweredRequests
            ) -> Store<State>?
    ) -> Hosting {
        let visitors = VisitorHosting<State>(limit: limit, idle: idle, lifetime: lifetime) {
            opening, requests in
            await onThreadOfItsOwn {
                switch opening {
                case .preview: open(VisitorID(), true, requests)
                case .new(let visitor): open(visitor, true, requests)
                case .returning(let visitor): open(visitor, false, requests)
                }
            }.map { HostedStore($0) }
        }
        return Hosting(kind: .visitors(visitors))
    }

    /// One store per visitor, each kept in a journal of its own.
    ///
    /// ```swift
    /// let journals = try SQLiteJournals(in: "/var/lib/shop")
    /// let hosting = Hosting<Shop>.returningVisitor(
    ///     limit: 1_000, idle: .seconds(1_800), lifetime: .seconds(30 * 86_400), in: journals
    /// ) { visitor, journal in
    ///     try await Persistence(of: Shop(), in: journal) { shop }
    /// }
    /// ```
    ///
    /// Like ``perVisitor(limit:idle:make:)``, but the cookie lives as long as `lifetime`, and a store that is put away,
    /// because of `idle`, `limit` or a restart, is restored from its journal when its visitor comes back. A
    /// journal that can't be opened or read stays as it is: its visitor is answered with 503, and all others go
    /// on. Journals that nothing was written to for `lifetime` are removed, and those of new visitors who left
    /// without having done anything.
    ///
    /// So that a journal doesn't grow without end, give the persistence options a
    /// `retention`: at least the newest 1,000 entries, by which a post that comes
    /// again after a restart is recognized.
    ///
    /// - Parameters:
    ///   - limit: The largest number of stores alive at once, at least 1.
    ///   - idle: How long a store without visitor is kept in memory.
    ///   - lifetime: How long the browser keeps the cookie, and the program a journal.
    ///   - journals: Where the journals are; each has the visitor's ``VisitorID/fileName``.
    ///   - open: Restores a visitor's store from its journal; also called, with a new visitor and a journal in
    ///     memory, for a store that is only shown. What it throws is logged.
    /// - Returns: The hosting.
    public static func returningVisitor(
        limit: Int, idle: Duration, lifetime: Duration, in journals: any Journals,
        open:
            @escaping @Sendable (
                _ visitor: VisitorID, _ journal: any Journal
            ) async throws -> Persistence<State>
    ) -> Hosting where State: Codable {
        let restore = { @Sendable (visitor: VisitorID) async throws -> HostedStore<State> in
            let journal = try await journals.journal(named: visitor.fileName)
            do {
                return HostedStore(try await open(visitor, journal))
            } catch {
                await journal.close()
                throw error
            }
        }
        let visitors = VisitorHosting<State>(
            limit: limit, idle: idle, lifetime: lifetime, journals: journals
        ) { opening, _ in
            switch opening {
            case .preview:
                let preview = try await open(VisitorID(), MemoryJournal())
                return HostedStore(store: preview.store, keeping: nil) {
                    try? await preview.shutdown()
                }
            case .new(let visitor): return try await restore(visitor)
            case .returning(let visitor):
                let isKnown = try await journals.contains(visitor.fileName)
                return isKnown ? try await restore(visitor) : nil
            }
        }
        return Hosting(kind: .visitors(visitors))
    }
}

/// Whom a store is opened for.
public enum StoreOpening: Sendable {
    /// Whoever has none: it is drawn, and shut down at once.
    case preview
    /// A visitor that this server has given a cookie.
    case new(VisitorID)
    /// One whose cookie claims to be known, here or on another server.
    case returning(VisitorID)
}

/// How the stores of visitors come to be.
struct VisitorHosting<State: Sendable>: Sendable {
    let limit: Int
    let idle: Duration
    /// How long the cookie lives; nil for as long as the browser runs, and the program.
    var lifetime: Duration?
    /// What keeps the stores; nil where nothing does, or the app itself.
    var journals: (any Journals)?
    /// Opens a store; nil if nothing is known of the visitor.
    let open: @Sendable (StoreOpening, AnsweredRequests) async throws -> HostedStore<State>?
}

/// Runs what may take long, as where a file can't be read, without holding up tasks.
private func onThreadOfItsOwn<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value?
) async -> Value? {
    await withCheckedContinuation { continuation in
        // A queue of its own is a thread of its own.
        DispatchQueue(label: "onward.server.opening").async {
            continuation.resume(returning: body())
        }
    }
}
#endif
