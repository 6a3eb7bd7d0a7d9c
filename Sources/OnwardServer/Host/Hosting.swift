// SPDX-License-Identifier: MIT
#if Server

import Dispatch
public import Onward
public import OnwardJournal

/// Which store a page shows: one for everybody or one per visitor, kept in memory or in journals.
///
/// A store whose log is kept in a journal loses nothing that a page has shown: its posts are
/// answered, and its pages drawn, only with what has reached the level of the journal (see
/// `Persistence` of `OnwardJournal`). After a restart, even when the system killed the program, an
/// open page continues by itself, and a post that was waiting for its answer is dispatched once.
/// While the journal fails, posts and documents are answered with 503, and open pages stay as they
/// are.
public struct Hosting<State: Sendable>: Sendable {
    enum Kind: Sendable {
        case shared(HostedStore<State>)
        case visitors(VisitorHosting<State>)
    }

    let kind: Kind

    /// One store for everybody, hosted in a custom way.
    ///
    /// The store still belongs to its owner: the server doesn't shut it down.
    public static func shared(_ store: HostedStore<State>) -> Hosting {
        Hosting(kind: .shared(store))
    }

    /// One store per visitor, each hosted in a custom way.
    ///
    /// Like ``perVisitor(limit:idle:make:)``, but if there is a lifetime the cookie lives that
    /// long, and `open` is also called for visitors that this server doesn't know.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of stores alive at once, at least 1.
    ///   - idle: How long a store without a visitor is kept.
    ///   - lifetime: How long the browser keeps the cookie; nil for as long as the browser runs.
    ///   - open: Opens a store; returns nil if nothing is known of the visitor, who then gets a new
    ///     cookie. An error it throws is logged, and answered with 503.
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
    /// The store still belongs to its owner: the server doesn't shut it down.
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
    /// After a restart, a post that comes again is recognized if its entry is among the newest 1,000.
    /// The store still belongs to its owner: the server doesn't shut it down.
    public static func shared(_ store: Persistence<State>) -> Hosting where State: Codable {
        shared(HostedStore(store))
    }

    /// One store per visitor, identified by a random 128-bit cookie (`HttpOnly`, `SameSite=Lax`;
    /// `Secure` by ``ServerOptions/cookiesAreSecure``).
    ///
    /// A visitor's first document sets the cookie and shows what a new store shows, possibly
    /// including what the effects of such a store fetched in its first moments. The visitor's own
    /// store begins when the cookie comes back: with the page's event stream, another document, or
    /// an action. A store that had neither a request nor an open stream for `idle` is shut down and
    /// forgotten; the visitor then starts over.
    ///
    /// With `limit` stores alive, a new visitor gets the place of a store in which no one acted or,
    /// after a minute, of one whose visitor acted and wasn't seen again. An address that has more
    /// than half of the stores takes only places of its own, and its visitors make room for any
    /// other visitor: first those that have no page open, then those that came last. If there is no
    /// such store, a new visitor is answered with 503 and a sentence. Behind a proxy, name the
    /// header that distinguishes addresses: ``ServerOptions/clientAddressHeader``.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of stores alive at once, at least 1.
    ///   - idle: How long a store without a visitor is kept.
    ///   - make: Makes the store of a new visitor, and now and then one that is shown to visitors
    ///     without a store and shut down at once. Called on its own thread, so it may take long.
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

    /// One store per visitor, each of whom is recognized after a restart of the program.
    ///
    /// Like ``perVisitor(limit:idle:make:)``, but the cookie lives as long as `lifetime`. A visitor
    /// whose store no longer exists, because of `idle`, `limit` or a restart, gets another one made
    /// from what the program has saved. The program saves what it wants to remember under the
    /// visitor's ``VisitorID/fileName``. To have everything remembered, use
    /// ``returningVisitor(limit:idle:lifetime:in:open:)``.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of stores alive at once, at least 1.
    ///   - idle: How long a store without a visitor is kept.
    ///   - lifetime: How long the browser keeps the cookie.
    ///   - open: Makes the store of a visitor: of a new one (true), or of one whose cookie claims
    ///     to be known (false); in that case it returns nil if nothing is remembered, and the
    ///     visitor gets a new cookie. `requests` are the visitor's answered requests, to be saved
    ///     with the state. Called on its own thread, so it may take long; also called, with a new
    ///     visitor, for a store that is only shown.
    /// - Returns: The hosting.
    public static func returningVisitor(
        limit: Int, idle: Duration, lifetime: Duration,
        open:
            @escaping @Sendable (
                _ visitor: VisitorID, _ isNew: Bool, _ requests: ProcessedRequests
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

    /// One store per visitor, each kept in its own journal.
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
    /// Like ``perVisitor(limit:idle:make:)``, but the cookie lives as long as `lifetime`, and a
    /// store that was closed because of `idle`, `limit` or a restart is restored from its journal
    /// when its visitor comes back. A journal that can't be opened or read stays as it is: its
    /// visitor is answered with 503, and all others continue. Journals that were not written to for
    /// `lifetime` are removed, as are those of new visitors who left without doing anything.
    ///
    /// To keep a journal from growing without end, set `retention` in the persistence options: to
    /// at least the newest 1,000 entries, by which a post that comes again after a restart is
    /// recognized.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of stores alive at once, at least 1.
    ///   - idle: How long a store without a visitor is kept in memory.
    ///   - lifetime: How long the browser keeps the cookie, and the program keeps a journal.
    ///   - journals: Where the journals are; each is named by the visitor's ``VisitorID/fileName``.
    ///   - open: Restores a visitor's store from its journal; also called, with a new visitor and a
    ///     journal in memory, for a store that is only shown. An error it throws is logged.
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

/// For whom a store is opened.
public enum StoreOpening: Sendable {
    /// Someone without a store: it is drawn, and shut down at once.
    case preview
    /// A visitor to whom this server has given a cookie.
    case new(VisitorID)
    /// A visitor whose cookie claims to be known, here or on another server.
    case returning(VisitorID)
}

/// How the stores of visitors are created.
struct VisitorHosting<State: Sendable>: Sendable {
    let limit: Int
    let idle: Duration
    /// How long the cookie lives; nil for as long as the browser and the program run.
    var lifetime: Duration?
    /// Where the stores are kept; nil if nowhere, or if the app keeps them itself.
    var journals: (any Journals)?
    /// Opens a store; nil if nothing is known of the visitor.
    let open: @Sendable (StoreOpening, ProcessedRequests) async throws -> HostedStore<State>?
}

/// Runs what may take long, such as reading a slow file, without holding up tasks.
private func onThreadOfItsOwn<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value?
) async -> Value? {
    await withCheckedContinuation { continuation in
        // Its own queue has its own thread.
        DispatchQueue(label: "onward.server.opening").async {
            continuation.resume(returning: body())
        }
    }
}
#endif
