// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardJournal
public import OnwardServer

extension Hosting where State: Codable {
    /// One store for everybody, whichever node they connect to.
    ///
    /// ```swift
    /// let board = ClusteredStore(of: Board(), named: "board", in: journal, on: node) { rules }
    /// async let running: Void = node.run()
    /// try await PageServer(page, hosting: .cluster(board)).run()
    /// await node.leave()
    /// ```
    ///
    /// Pages show the node's replica. What they post is proposed, and answered once it is
    /// acknowledged and the replica has it. A token that a form demands is compared, and an
    /// admission asked, with the state that the action is applied to, whoever owns the store. A
    /// post that is sent again, to any node, is done once.
    ///
    /// When a node ends, its pages continue at another one: a version of the page is a version of
    /// the log, so they are sent what has changed since, or the whole page if the other node can't
    /// know that. A reader need not return to the node it was connected to before.
    ///
    /// While the journal can't be reached, pages report this and keep showing what there was; posts
    /// are answered with 503 and a reason after ``ClusterLimits/proposal``, and are done once if
    /// they are sent again. Until the replica has shown everything that the journal had, pages are
    /// answered with 503.
    ///
    /// A visitor's own state beside the store (`VisitorState`) belongs to the node: on another node
    /// it starts over.
    ///
    /// - Parameters:
    ///   - store: The store; the server doesn't shut it down.
    ///   - revision: A text that the program changes with what its pages show, apart from their
    ///     templates: pages of nodes whose revisions differ are sent as a whole.
    /// - Returns: The hosting.
    public static func cluster(
        _ store: ClusteredStore<State>, revision: String = ""
    ) -> Hosting {
        .shared(HostedStore(store, revision) {})
    }

    /// One store per visitor, whichever node they connect to.
    ///
    /// As with `returningVisitor`, but every node recognizes every visitor: a cookie from another
    /// node is as good as one from this node. A visitor who never did anything has no log.
    ///
    /// - Parameters:
    ///   - stores: The stores; each has the visitor's `fileName` as its name.
    ///   - limit: The maximum number of stores alive at once on this node for its own visitors, at
    ///     least 1.
    ///   - idle: How long a store without a visitor is kept in memory.
    ///   - lifetime: How long the browser keeps the cookie.
    ///   - revision: A text that the program changes with what its pages show.
    /// - Returns: The hosting.
    public static func cluster(
        _ stores: ClusteredStores<State>, limit: Int, idle: Duration, lifetime: Duration,
        revision: String = ""
    ) -> Hosting {
        .perVisitor(limit: limit, idle: idle, lifetime: lifetime) { opening in
            switch opening {
            case .preview:
                let preview = stores.preview()
                return HostedStore(preview, shutdown: { await preview.shutdown() }) { _ in
                    .unavailable("Nothing can be done here yet. Please load the page again.")
                }
            case .new(let visitor), .returning(let visitor):
                let name = visitor.fileName
                return HostedStore(try await stores.open(name), revision) {
                    await stores.close(name)
                }
            }
        }
    }
}

extension HostedStore where State: Codable {
    /// A clustered store as a server hosts it.
    fileprivate init(
        _ store: ClusteredStore<State>, _ revision: String,
        shutdown: @escaping @Sendable () async -> Void
    ) {
        let desk = PostDesk(store)
        let name = "\(store.name) \(store.fingerprint.rawValue) \(revision)"
        self.init(
            store.store,
            log: SharedLog(name: name) { store.logVersion(of: $0) },
            notice: { store.notice },
            ready: { () async throws(JournalError) in try await store.catchUp() },
            shutdown: shutdown
        ) { posted in await desk.apply(posted) }
    }
}

extension ClusteredStore {
    /// What readers of a page have to know now.
    fileprivate var notice: String? {
        let status = status
        if status.isJournalAway {
            return """
                The database can't be reached at the moment: this is what was known last. What is done now may have \
                to wait.
                """
        }
        return status.foreign == nil
            ? nil
            : "Another version of this program is in charge at the moment: this is what there was before."
    }
}
#endif
