// SPDX-License-Identifier: MIT
#if Server

import DequeModule
import Logging
import Metrics
import Onward
import OnwardJournal
import ServiceLifecycle

/// Finds the session of a visitor, makes it when it is due, and counts open streams.
///
/// A visitor's store begins when its cookie comes back. Until then its pages are drawn from a
/// preview: the store that a new visitor would have, as it is at first.
actor Visitors<State: Sendable> {
    private let page: Page<State>
    private let options: ServerOptions
    private let limits: ServerLimits
    private let stopwatch: Stopwatch
    private let openStreams: Meter
    /// How the stores of visitors are created; nil if all share one.
    private let hosting: VisitorHosting<State>?
    private var streams = 0
    private var streamsOfAddress: [ClientAddress: Int] = [:]
    /// Those of endpoints, which count as well.
    private var endpointStreams: Set<Endpoint.Stream> = []
    /// The session that all visitors share, if there is one; the table is empty then.
    let shared: Session<State>?
    private var table: VisitorTable<Session<State>>
    private var preview: (session: Session<State>, made: Duration)?
    /// The stores that are being opened or will be.
    private var openings: [OpeningKey: Opening] = [:]
    /// Those that wait for others to finish opening, and how many are in progress.
    private var queue: Deque<OpeningKey> = []
    private var running = 0
    /// The number of openings for each address, and of requests waiting for one.
    private var openingsOfAddress: [ClientAddress: Int] = [:]
    private var waitingOfAddress: [ClientAddress: Int] = [:]
    private var waiting = 0
    /// The visitors whose stores are being shut down; theirs aren't reopened before that is done.
    private var leaving: [VisitorID: Task<Void, Never>] = [:]
    /// When unused journals were last removed.
    private var cleaned: Duration?
    private var isClosed = false

    private enum OpeningKey: Hashable {
        case preview
        case visitor(VisitorID)
    }

    private struct Opening {
        let address: ClientAddress
        let isNew: Bool
        let since: Duration
        /// The requests that wait for it.
        var waiting: [AsyncStream<Session<State>?>.Continuation] = []
    }

    /// How many stores are opened at the same time, each on its own thread, and how many may be
    /// waiting: half of them for one address.
    private static var runningLimit: Int { 32 }
    private static var openingLimit: Int { 4_096 }
    /// How many requests may wait for one of them, half of them from one address, and for how long.
    private static var waitingLimit: Int { 8_192 }
    private static var waitingTime: Duration { .seconds(30) }
    /// How long a preview is as good as a new one.
    private static var previewTime: Duration { .seconds(60) }
    /// How often unused journals are removed.
    private static var cleaningTime: Duration { .seconds(86_400) }

    init(
        _ hosting: Hosting<State>, page: Page<State>, options: ServerOptions, limits: ServerLimits
    ) {
        self.page = page
        self.options = options
        self.limits = limits
        self.stopwatch = Stopwatch(options.clock)
        self.openStreams = Meter(
            label: "onward_server_streams", dimensions: [], factory: options.metrics)
        switch hosting.kind {
        case .shared(let store):
            shared = Session(
                store, page: page, options: options, limits: limits, memory: .shared)
            table = VisitorTable(
                limit: page.visitors?.limit ?? 0, idle: page.visitors?.idle ?? .zero)
            self.hosting = nil
        case .visitors(let hosting):
            shared = nil
            table = VisitorTable(limit: max(hosting.limit, 1), idle: hosting.idle)
            self.hosting = hosting
        }
    }

    /// The visitor that a document is for; an unknown one gets a cookie and sees a preview.
    ///
    /// - Parameters:
    ///   - caller: Who requests it.
    ///   - keepsCookie: Whether a cookie can be given; without one, no visitor is expected.
    /// - Returns: The visitor, or one that only looks.
    /// - Throws: ``Rejection`` if no further visitor fits in.
    nonisolated func showDocument(
        to caller: Caller, keepsCookie: Bool
    ) async throws(Rejection) -> Visit<State> {
        if let everyone { return everyone }
        return try await showDocument(toVisitor: caller, keepsCookie: keepsCookie)
    }

    private func showDocument(
        toVisitor caller: Caller, keepsCookie: Bool
    ) async throws(Rejection) -> Visit<State> {
        if let visit = try await find(caller) { return visit }
        removeIdle()
        guard hasRoom(for: caller.address) else { throw .tooManyVisitors }
        let session = try await currentPreview(for: caller.address)
        guard keepsCookie else {
            return Visit(session: session, visitor: nil, isPreview: true)
        }
        let visitor = VisitorID()
        table.expect(visitor)
        return Visit(
            session: session, visitor: visitor, cookie: .init(lifetime: hosting?.lifetime),
            isPreview: true)
    }

    /// The visitor that sent a post.
    ///
    /// - Throws: ``Rejection`` if nothing is known of the sender, or its page isn't this visitor's.
    nonisolated func takePost(of caller: Caller) async throws(Rejection) -> Visit<State> {
        if let everyone { return everyone }
        return try await takePost(ofVisitor: caller)
    }

    private func takePost(ofVisitor caller: Caller) async throws(Rejection) -> Visit<State> {
        guard let visit = try await find(caller) else { throw .sessionEnded }
        guard let visitor = visit.visitor else { return visit }
        if let tag = caller.tag, tag != visitor.tag { throw .otherVisit }
        table.act(visitor)
        visit.session.act()
        return visit
    }

    /// The visitor that a stream is for, which counts as open from now on; nil if its page isn't
    /// this visitor's, or there is no visitor.
    ///
    /// - Throws: ``Rejection`` if there are too many streams.
    func openStream(for caller: Caller) async throws(Rejection) -> Visit<State>? {
        guard streams < limits.streams else { throw .tooManyStreams }
        guard let visit = try await find(caller) else { return nil }
        if let visitor = visit.visitor {
            if let tag = caller.tag, tag != visitor.tag { return nil }
            guard table.streams(of: visitor) < limits.streamsPerVisitor else {
                throw .tooManyOwnStreams
            }
        }
        try countStream(from: caller.address)
        if let visitor = visit.visitor {
            table.countStream(1, of: visitor, at: stopwatch.elapsed())
        }
        return visit
    }

    /// Counts a stream of an endpoint, until it is closed.
    ///
    /// - Throws: ``Rejection`` if there are too many streams.
    func open(_ stream: Endpoint.Stream, from address: ClientAddress) throws(Rejection) {
        guard !isClosed else { throw .notNow }
        try countStream(from: address)
        endpointStreams.insert(stream)
    }

    /// Counts a stream of an endpoint that ended.
    func close(_ stream: Endpoint.Stream, from address: ClientAddress) {
        endpointStreams.remove(stream)
        countClosedStream(from: address)
    }

    /// Counts a stream that ended.
    func closeStream(of visit: Visit<State>, _ caller: Caller) {
        countClosedStream(from: caller.address)
        guard let visitor = visit.visitor else { return }
        table.countStream(-1, of: visitor, at: stopwatch.elapsed())
    }

    /// Gives every open stream a sign of life, and forgets visitors that were idle for too long.
    func sweep() async {
        for stream in endpointStreams { stream.giveSignOfLife() }
        removeIdle()
        await removeUnusedJournals()
        await withDiscardingTaskGroup { group in
            // One that waits for its journal doesn't delay the others.
            for session in sessions {
                group.addTask {
                    await session.feed.closeGoneTabs()
                    await session.feed.refresh()
                }
            }
        }
    }

    /// Removes journals that nobody uses any more, once a day.
    private func removeUnusedJournals() async {
        guard let journals = hosting?.journals, let lifetime = hosting?.lifetime else { return }
        let now = stopwatch.elapsed()
        if let cleaned, now - cleaned < Self.cleaningTime { return }
        cleaned = now
        do {
            try await journals.removeUnused(for: lifetime)
        } catch {
            options.logger.error("Journals can't be removed.", metadata: ["reason": "\(error)"])
        }
    }

    /// Ends all streams, and the stores that were made here.
    func close() async {
        isClosed = true
        for stream in endpointStreams { stream.end() }
        for waiting in openings.values.flatMap(\.waiting) { waiting.finish() }
        openings = [:]
        queue = []
        let isOwn = shared == nil
        await withDiscardingTaskGroup { group in
            for session in sessions {
                group.addTask {
                    await session.close()
                    if isOwn { await session.shutdown() }
                }
            }
            for task in leaving.values { group.addTask { await task.value } }
        }
    }

    /// The session of the first of a caller's cookies that is known, or the shared one.
    ///
    /// - Throws: ``Rejection`` if the visitor doesn't fit in.
    private func find(_ caller: Caller) async throws(Rejection) -> Visit<State>? {
        if let everyone { return everyone }
        for visitor in caller.visitors {
            if let session = table.visit(visitor, at: stopwatch.elapsed()) {
                return Visit(session: session, visitor: visitor)
            }
        }
        let expected = caller.visitors.filter { table.isExpected($0) }
        if let shared, let own = page.visitors {
            guard let visitor = expected.first else { return nil }
            guard makeRoom(for: caller.address) else { throw .tooManyVisitors }
            let session = Session(sharing: shared, own: own.initial)
            table.admit(session, as: visitor, from: caller.address, at: stopwatch.elapsed())
            return Visit(session: session, visitor: visitor)
        }
        for visitor in expected.isEmpty && hosting?.lifetime != nil ? caller.visitors : expected {
            if let session = try await session(
                .visitor(visitor), for: caller.address, isNew: !expected.isEmpty)
            {
                return Visit(session: session, visitor: visitor)
            }
        }
        return nil
    }

    /// What a new visitor is shown: a preview as good as new, or else the most recent one.
    ///
    /// - Throws: ``Rejection`` if there is none yet, and none can be made.
    private func currentPreview(
        for address: ClientAddress
    ) async throws(Rejection) -> Session<State> {
        if let shared, let own = page.visitors {
            return Session(sharing: shared, own: own.initial)
        }
        // While a new one is being opened, no other request waits for it.
        if let preview,
            stopwatch.elapsed() - preview.made < Self.previewTime || openings[.preview] != nil
        {
            return preview.session
        }
        do {
            if let session = try await session(.preview, for: address, isNew: true) {
                return session
            }
        } catch {
            guard preview != nil else { throw error }
        }
        guard let preview else { throw .tooManyVisitors }
        return preview.session
    }

    /// Opens a store in its own task and waits for it; nil if nothing is known of the visitor.
    ///
    /// Requests for existing stores don't wait: opening may take long, for example if a file can't
    /// be read. After a restart many visitors come back at once, so openings queue. Nobody has to
    /// make room before there is a store that needs it, since anyone may make up a cookie.
    ///
    /// - Throws: ``Rejection`` if there is no room, it takes too long, or the server stops.
    private func session(
        _ key: OpeningKey, for address: ClientAddress, isNew: Bool
    ) async throws(Rejection) -> Session<State>? {
        guard !isClosed, waiting < Self.waitingLimit,
            waitingOfAddress[address, default: 0] < Self.waitingLimit / 2
        else { throw .notNow }
        if openings[key] == nil {
            guard openings.count < Self.openingLimit,
                openingsOfAddress[address, default: 0] < Self.openingLimit / 2,
                key == .preview || hasRoom(for: address)
            else { throw .tooManyVisitors }
            openings[key] = Opening(
                address: address, isNew: isNew, since: stopwatch.elapsed())
            openingsOfAddress.count(1, of: address)
            queue.append(key)
            startOpenings()
        }
        waiting += 1
        waitingOfAddress.count(1, of: address)
        defer {
            waiting -= 1
            waitingOfAddress.count(-1, of: address)
        }
        let (sessions, continuation) = AsyncStream.makeStream(of: Session<State>?.self)
        openings[key]?.waiting.append(continuation)
        let timer = Task { [clock = options.clock] in
            try await clock.sleep(for: Self.waitingTime)
            continuation.finish()
        }
        defer { timer.cancel() }
        let outcome = await withGracefulShutdownHandler {
            await sessions.first { _ in true }
        } onGracefulShutdown: {
            continuation.finish()
        }
        guard let outcome else { throw .notNow }
        return outcome
    }

    /// Starts waiting openings, unless nobody waits for them any more.
    private func startOpenings() {
        while running < Self.runningLimit, let key = queue.popFirst() {
            guard let hosting, let opening = openings[key] else { continue }
            guard stopwatch.elapsed() - opening.since < Self.waitingTime else {
                for continuation in take(key)?.waiting ?? [] { continuation.finish() }
                continue
            }
            running += 1
            let kind: StoreOpening =
                switch key {
                case .preview: .preview
                case .visitor(let visitor): opening.isNew ? .new(visitor) : .returning(visitor)
                }
            let former: Task<Void, Never>? =
                if case .visitor(let visitor) = key { leaving[visitor] } else { nil }
            Task {
                await former?.value
                let requests = ProcessedRequests()
                let outcome: Result<HostedStore<State>?, any Error>
                do {
                    outcome = .success(try await hosting.open(kind, requests))
                } catch {
                    outcome = .failure(error)
                }
                opened(key, outcome, requests)
            }
        }
    }

    /// Removes an opening from the pending ones.
    private func take(_ key: OpeningKey) -> Opening? {
        let opening = openings.removeValue(forKey: key)
        if let address = opening?.address { openingsOfAddress.count(-1, of: address) }
        return opening
    }

    private func opened(
        _ key: OpeningKey, _ outcome: Result<HostedStore<State>?, any Error>,
        _ requests: ProcessedRequests
    ) {
        running -= 1
        let opening = take(key)
        let waiting = opening?.waiting ?? []
        startOpenings()
        let store: HostedStore<State>
        switch outcome {
        case .success(let opened?): store = opened
        case .success(nil):
            for continuation in waiting { continuation.yield(nil) }
            return
        case .failure(let error):
            options.logger.error(
                "A visitor's store can't be opened.", metadata: ["reason": "\(error)"])
            for continuation in waiting { continuation.finish() }
            return
        }
        let visitor: VisitorID? = if case .visitor(let visitor) = key { visitor } else { nil }
        guard !isClosed, let opening, visitor == nil || makeRoom(for: opening.address) else {
            for continuation in waiting { continuation.finish() }
            shutDown(visitor, by: store.shutdown)
            return
        }
        let session = Session(
            store, page: page, options: options, limits: limits, memory: .own, requests: requests,
            of: visitor, isNew: opening.isNew)
        if let visitor {
            table.admit(session, as: visitor, from: opening.address, at: stopwatch.elapsed())
        } else {
            preview = (session, stopwatch.elapsed())
            // It is only for viewing: nothing may happen in it.
            shutDown(nil, by: store.shutdown)
        }
        for continuation in waiting { continuation.yield(session) }
    }

    /// Everyone's visit if visitors aren't distinguished: available without a turn on this actor.
    private nonisolated var everyone: Visit<State>? {
        guard let shared, page.visitors == nil else { return nil }
        return Visit(session: shared, visitor: nil)
    }

    private var sessions: [Session<State>] { shared.map { [$0] } ?? table.values }

    private func countStream(from address: ClientAddress) throws(Rejection) {
        guard streams < limits.streams else { throw .tooManyStreams }
        guard streamsOfAddress[address, default: 0] < limits.streamsPerAddress ?? .max else {
            throw .tooManyOwnStreams
        }
        streams += 1
        openStreams.set(streams)
        streamsOfAddress.count(1, of: address)
    }

    private func countClosedStream(from address: ClientAddress) {
        streams -= 1
        openStreams.set(streams)
        streamsOfAddress.count(-1, of: address)
    }

    /// Whether one more visitor fits in besides those whose new stores are being opened.
    private func hasRoom(for address: ClientAddress) -> Bool {
        let others = openings.values.count { $0.isNew }
        return table.hasRoom(besides: others, for: address, at: stopwatch.elapsed())
    }

    private func makeRoom(for address: ClientAddress) -> Bool {
        removeIdle()
        let leaving = table.makeRoom(for: address, at: stopwatch.elapsed())
        end(leaving ?? [])
        return leaving != nil
    }

    private func removeIdle() {
        end(table.removeIdle(at: stopwatch.elapsed()))
    }

    private func end(_ sessions: [Session<State>]) {
        guard shared == nil else { return }
        for session in sessions {
            shutDown(session.visitor) { [journals = hosting?.journals, logger = options.logger] in
                await session.close()
                await session.shutdown()
                // Nobody misses a store in which nothing was done, and anyone may request another.
                guard let journals, let visitor = session.visitor, !session.hasActed else { return }
                do {
                    try await journals.remove(visitor.fileName)
                } catch {
                    logger.error("A journal can't be removed.", metadata: ["reason": "\(error)"])
                }
            }
        }
    }

    /// Shuts a store down; until that is done, no other store of its visitor is opened.
    private func shutDown(_ visitor: VisitorID?, by end: @escaping @Sendable () async -> Void) {
        let task = Task {
            await end()
            if let visitor { leaving[visitor] = nil }
        }
        if let visitor { leaving[visitor] = task }
    }
}

extension [ClientAddress: Int] {
    /// Adds to an address's count; an address with none isn't kept.
    fileprivate mutating func count(_ change: Int, of address: ClientAddress) {
        let number = self[address, default: 0] + change
        self[address] = number == 0 ? nil : number
    }
}
#endif
