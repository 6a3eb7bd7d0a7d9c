// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardJournal
public import OnwardServer

extension Hosting where State: Codable {
    /// One store for everybody, on whichever node they come to.
    ///
    /// ```swift
    /// let board = ClusteredStore(of: Board(), named: "board", in: journal, on: node) { rules }
    /// async let running: Void = node.run()
    /// try await PageServer(page, hosting: .cluster(board)).run()
    /// await node.leave()
    /// ```
    ///
    /// Pages show the node's replica. What they post is proposed, and answered when it is acknowledged and the replica
    /// has it. A token that a form demands is compared, and an admission asked, with the state that the action is
    /// applied to, whoever owns the store. A post that is sent again, to any node, is done once.
    ///
    /// When a node ends, its pages go on at another one: a version of the page is the version of the log, so they
    /// are sent what changed since, or the whole page where the other node can't know that. No node has to be the one
    /// that a reader was at before.
    ///
    /// While the journal can't be reached, pages say so and show what there was; what is posted is answered
    /// with 503 and a reason after ``ClusterLimits/proposal``, and is done once where it is sent again.
    /// Until the replica has shown all that the journal had, pages are answered with 503.
    ///
    /// What a visitor has beside the store (`VisitorState`) is the node's own: it begins anew on another one.
    ///
    /// - Parameters:
    ///   - store: The store; the server doesn't end it.
    ///   - revision: A text that the program changes with what its pages show, beside their templates: pages of
    ///     nodes that differ in it are sent as a whole.
    /// - Returns: The hosting.
    public static func cluster(
        _ store: ClusteredStore<State>, revision: String = ""
    ) -> Hosting {
        .shared(HostedStore(store, revision) {})
    }

    /// One store per visitor, on whichever node they come to.
    ///
    /// As with `returningVisitor`, but every node knows every visitor: a cookie that another node has given out is as
    /// good as one of this node's. A visitor who never did anything has no log.
    ///
    /// - Parameters:
    ///   - stores: The stores; each has the visitor's `fileName` as its name.
    ///   - limit: The largest number of stores alive at once on this node for its own visitors, at least 1.
    ///   - idle: How long a store without visitor is kept in memory.
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
    /// A clustered store, as a server hosts it.
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
