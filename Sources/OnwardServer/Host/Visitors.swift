// SPDX-License-Identifier: MIT
#if Server

import Metrics
import Onward

/// Finds the session of a visitor, makes it where one is due, and counts open streams.
actor Visitors<State: Sendable> {
    private let page: Page<State>
    private let options: ServerOptions
    private let stopwatch: Stopwatch
    private let openStreams: Meter
    private var streams = 0
    private var kind: Kind

    private typealias Opening = @Sendable (VisitorID, Bool) -> Store<State>?
    private let lifetime: Duration?

    private enum Kind {
        case shared(Session<State>)
        case perVisitor(VisitorTable<Session<State>>, open: Opening)
    }

    init(_ hosting: Hosting<State>, page: Page<State>, options: ServerOptions) {
        self.page = page
        self.options = options
        self.stopwatch = Stopwatch(options.clock)
        self.openStreams = Meter(
            label: "onward_server_streams", dimensions: [], factory: options.metrics)
        self.kind =
            switch hosting {
            case .shared(let store):
                .shared(Session(store: store, page: page, options: options))
            case .perVisitor(let limit, let idle, let make):
                .perVisitor(
                    VisitorTable(limit: max(limit, 1), idle: idle),
                    open: { _, isNew in isNew ? make() : nil })
            case .returningVisitor(let limit, let idle, _, let open):
                .perVisitor(VisitorTable(limit: max(limit, 1), idle: idle), open: open)
            }
        if case .returningVisitor(_, _, let lifetime, _) = hosting {
            self.lifetime = lifetime
        } else {
            self.lifetime = nil
        }
    }

    /// The session everybody shares, if there is one.
    var shared: Session<State>? {
        guard case .shared(let session) = kind else { return nil }
        return session
    }

    /// The session of a cookie; a new one for who has none.
    ///
    /// - Throws: ``Rejection`` when no further visitor fits in.
    func enter(_ cookie: String?) throws(Rejection) -> Visit<State> {
        if let visit = known(cookie) { return visit }
        removeIdle()
        guard let visit = open(VisitorID(), isNew: true) else { throw .tooManyVisitors }
        return visit
    }

    /// The session of a cookie that was given out, or the shared one.
    func known(_ cookie: String?) -> Visit<State>? {
        switch kind {
        case .shared(let session): return Visit(session: session, cookie: nil, isNew: false)
        case .perVisitor(var table, let open):
            guard let cookie else { return nil }
            guard let session = table.visit(cookie, at: stopwatch.elapsed) else {
                return VisitorID(cookie: cookie).flatMap { self.open($0, isNew: false) }
            }
            kind = .perVisitor(table, open: open)
            return Visit(session: session, cookie: cookie, isNew: false)
        }
    }

    /// Opens the store of a visitor; nil if it doesn't fit in, or nothing is known of the visitor.
    private func open(_ visitor: VisitorID, isNew: Bool) -> Visit<State>? {
        guard case .perVisitor(var table, let open) = kind, !table.isFull,
            let store = open(visitor, isNew)
        else { return nil }
        let session = Session(store: store, page: page, options: options)
        table.admit(session, as: visitor.cookie, at: stopwatch.elapsed)
        kind = .perVisitor(table, open: open)
        return Visit(session: session, cookie: visitor.cookie, isNew: isNew, lifetime: lifetime)
    }

    /// Counts a stream that opens.
    ///
    /// - Throws: ``Rejection`` when there are too many.
    func openStream(_ visit: Visit<State>) throws(Rejection) {
        guard streams < options.streamLimit else { throw .tooManyStreams }
        countStream(1, of: visit)
    }

    /// Counts a stream that ended.
    func closeStream(_ visit: Visit<State>) { countStream(-1, of: visit) }

    /// Gives every open stream a sign of life, and forgets who was idle for too long.
    func sweep() async {
        removeIdle()
        for session in sessions {
            await session.feed.closeGoneTabs()
            await session.feed.refresh()
        }
    }

    /// Ends all streams, and the stores that were made here.
    func close() async {
        for session in sessions {
            await session.close()
            if case .perVisitor = kind { await session.store.shutdown() }
        }
    }

    private var sessions: [Session<State>] {
        switch kind {
        case .shared(let session): [session]
        case .perVisitor(let table, _): table.values
        }
    }

    private func countStream(_ change: Int, of visit: Visit<State>) {
        streams += change
        openStreams.set(streams)
        guard case .perVisitor(var table, let open) = kind, let cookie = visit.cookie else {
            return
        }
        table.countStream(change, of: cookie, at: stopwatch.elapsed)
        kind = .perVisitor(table, open: open)
    }

    private func removeIdle() {
        guard case .perVisitor(var table, let open) = kind else { return }
        let gone = table.removeIdle(at: stopwatch.elapsed)
        kind = .perVisitor(table, open: open)
        for session in gone {
            Task {
                await session.close()
                await session.store.shutdown()
            }
        }
    }
}

/// A request's visitor.
struct Visit<State: Sendable>: Sendable {
    let session: Session<State>
    /// The visitor's cookie; nil where everybody shares one store.
    let cookie: String?
    /// Whether the cookie has to be given out.
    let isNew: Bool
    /// How long the browser is to keep the cookie; until it is closed if nil.
    var lifetime: Duration?
}
#endif
