// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// Decides what clients propose to a store, and sends them what it has committed.
///
/// ```swift
/// let store = Store(TodoList()) { list }
/// let server = try await SyncServer(of: store, accepting: .actions(TodoAction.self))
/// ```
///
/// The store goes on as any other: what the program itself dispatches reaches all clients as well.
/// A proposal is dispatched to it, through its middlewares, gates and checks; a refusal is final and
/// has the check's reason.
///
/// - **Exactly once.** Each accepted proposal is one entry whose origin names it
///   (`sync`, the client's id, the number). A server that starts again reads from its journal what was
///   accepted, so that what a client sends once more is done once.
/// - **Kept before it is sent.** If a `Persistence` or another keeper keeps the store's commits, clients
///   get an entry only when it is kept. Without one, the store is in memory, and a program that starts
///   again is another log: clients take its state and propose what is pending.
/// - **Everything is sent**, unless the options have a ``SyncView`` that says what a client may see.
///
/// Everything happens on an actor of its own; the store's subscribers are called from there.
public final class SyncServer<State: Codable & Sendable>: Sendable {
    private let core: ServerCore<State>

    /// Starts serving a store.
    ///
    /// - Parameters:
    ///   - store: The store of a whole app, before anybody dispatches to it.
    ///   - rules: What clients may send.
    ///   - journal: The journal in which the store's entries are kept, to read what was accepted before;
    ///     nil for a store in memory.
    ///   - ledger: Where that is kept as well, so that the journal may forget old entries.
    ///   - options: What has to be the same for clients.
    ///   - presence: Called with an identity and true when its first connection begins, and with false
    ///     when its last one has ended, in this order; not for clients without an identity. One whose network
    ///     is gone without a word has ended when the transport notices: over HTTP when the system gives
    ///     the connection up, which may take a quarter of an hour. Called on the server's actor, so it has
    ///     to be quick: such as a dispatch to a store that shows who is here.
    /// - Throws: `JournalError` of the journal, with the code `truncated` if it has forgotten
    ///   entries that the ledger doesn't know.
    /// - Complexity: O(entries of the journal that the ledger doesn't know).
    public init(
        of store: Store<State>, accepting rules: ClientRules, journal: (any Journal)? = nil,
        ledger: (any ValueStorage)? = nil, options: SyncOptions<State> = SyncOptions(),
        presence: @escaping @Sendable (_ identity: String, _ isHere: Bool) -> Void = { _, _ in }
    ) async throws(JournalError) {
        let keeping = LedgerKeeping(journal, ledger)
        core = ServerCore(
            store, rules, try await keeping.read(), keeping, options, Presence(presence))
        await core.begin()
    }

    /// Connects a client.
    ///
    /// - Parameter identity: Who the client is, as the program has found out; the author of what it
    ///   proposes. Nil for anybody.
    /// - Returns: The connection, which lasts until it is closed or the server stops.
    public func connect(as identity: String? = nil) async -> SyncConnection {
        await core.connect(as: identity)
    }

    /// Connects a client whose messages go to an outlet.
    func connect(as identity: String?, to outlet: ClientOutlet) async -> ClientConnection {
        await core.connect(as: identity, to: outlet)
    }

    /// How it is going.
    public var status: SyncServerStatus {
        get async { await core.status }
    }

    /// Sends what is kept by now; returns when that is on its way.
    public func publish() async { await core.publish() }

    /// Ends all connections; the store goes on.
    public func stop() async { await core.stop() }
}

/// How a server is doing.
public struct SyncServerStatus: Sendable, Hashable {
    /// The number of clients with a session.
    public var sessions = 0
    /// The last version that clients may have.
    public var version: CommitVersion = 0
    /// The number of runs of clients that ever proposed something.
    public var runs = 0
    /// How many proposals were accepted since the start.
    public var accepted = 0
    /// How many proposals were refused since the start.
    public var refused = 0
    /// Why what was committed can't be kept, and so isn't sent; nil if it can.
    public var failure: String?
}
