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

    private enum Kind {
        case shared(Session<State>)
        case perVisitor(VisitorTable<Session<State>>, make: @Sendable () -> Store<State>)
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
                .perVisitor(VisitorTable(limit: max(limit, 1), idle: idle), make: make)
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
        guard case .perVisitor(var table, let make) = kind, !table.isFull else {
            throw .tooManyVisitors
        }
        let session = Session(store: make(), page: page, options: options)
        let cookie = RandomID().description
        table.admit(session, as: cookie, at: stopwatch.elapsed)
        kind = .perVisitor(table, make: make)
        return Visit(session: session, cookie: cookie, isNew: true)
    }

    /// The session of a cookie that was given out, or the shared one.
    func known(_ cookie: String?) -> Visit<State>? {
        switch kind {
        case .shared(let session): return Visit(session: session, cookie: nil, isNew: false)
        case .perVisitor(var table, let make):
            guard let cookie, let session = table.visit(cookie, at: stopwatch.elapsed) else {
                return nil
            }
            kind = .perVisitor(table, make: make)
            return Visit(session: session, cookie: cookie, isNew: false)
        }
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
        for session in sessions { await session.feed.refresh() }
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
        guard case .perVisitor(var table, let make) = kind, let cookie = visit.cookie else {
            return
        }
        table.countStream(change, of: cookie, at: stopwatch.elapsed)
        kind = .perVisitor(table, make: make)
    }

    private func removeIdle() {
        guard case .perVisitor(var table, let make) = kind else { return }
        let gone = table.removeIdle(at: stopwatch.elapsed)
        kind = .perVisitor(table, make: make)
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
}
#endif
