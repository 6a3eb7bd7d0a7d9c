// SPDX-License-Identifier: MIT
#if Server

import Logging
import Onward

/// The newest page of a store at each location where it is shown, and its readers.
///
/// Each reader owns a stream that holds at most one page, the newest: a reader that doesn't read
/// costs one reference and delays nothing.
actor PageFeed<State: Sendable> {
    nonisolated let page: Page<State>
    private let hosted: HostedStore<State>
    private let logger: Logger
    private var cache: RendererCache<State>
    private var readers: [Int: Reader] = [:]
    private var lastReader = 0
    private var closedTabs = ClosedTabDetector()
    /// How many screens that don't exist yet each asker may have drawn.
    private var screens: Allowances<ClientAddress>
    private let stopwatch: Stopwatch
    private var isClosed = false

    private struct Reader {
        let tab: String?
        /// What its visitor has beside the store.
        let own: OwnStateBox?
        /// Where it is; if the state knows the tab, the state's location applies.
        var location: PageLocation<State>
        let updates: AsyncStream<PageUpdate>.Continuation
    }

    init(
        _ hosted: HostedStore<State>, page: Page<State>, logger: Logger, screens: Int,
        stopwatch: Stopwatch
    ) {
        self.hosted = hosted
        self.page = page
        self.logger = logger
        self.cache = RendererCache(page, of: hosted.log)
        self.screens = Allowances(burst: screens, perSecond: 8)
        self.stopwatch = stopwatch
    }

    /// The page as it is now at a location.
    ///
    /// - Parameters:
    ///   - location: Where it is shown.
    ///   - asker: Who requests it; nil for the server itself.
    /// - Returns: The page.
    /// - Throws: ``PageError`` if the page's description is wrong, ``Rejection`` if the asker has
    ///   requested too many others.
    nonisolated func current(
        at location: PageLocation<State>, for asker: ClientAddress? = nil
    ) async throws -> RenderedPage {
        try await withTaskExecutorPreference(page.drawingExecutor) {
            try await draw(at: location, for: asker)
        }
    }

    private func draw(
        at location: PageLocation<State>, for asker: ClientAddress?
    ) async throws -> RenderedPage {
        try allow(location, for: asker)
        let present = try await hosted.present()
        defer { tidy() }
        return try cache.render(present, at: location)
    }

    private func allow(_ location: PageLocation<State>, for asker: ClientAddress?) throws(Rejection)
    {
        guard let asker, !cache.has(location) else { return }
        guard screens.take(asker, at: stopwatch.elapsed()) else { throw .tooManyScreens }
    }

    /// Returns the pages from now on, beginning with the current one.
    ///
    /// A page that a slow reader didn't take before the next one came is skipped. The same page
    /// again is a sign of life. The stream ends with the feed, or when the reader ends it.
    ///
    /// - Parameters:
    ///   - tab: The tab whose screen is requested.
    ///   - location: The location to show while the state doesn't know the tab.
    ///   - own: What the visitor has beside the store.
    ///   - asker: Who requests it.
    /// - Returns: The stream, to be returned to ``unsubscribe(_:)``.
    /// - Throws: ``PageError`` if the page's description is wrong, ``Rejection`` if the asker has
    ///   requested too many others.
    nonisolated func subscribe(
        tab: String?, at location: PageLocation<State>, own: OwnStateBox? = nil,
        for asker: ClientAddress? = nil
    ) async throws -> PageReader {
        try await withTaskExecutorPreference(page.drawingExecutor) {
            try await addReader(tab: tab, at: location, own: own, for: asker)
        }
    }

    private func addReader(
        tab: String?, at location: PageLocation<State>, own: OwnStateBox?,
        for asker: ClientAddress?
    ) async throws -> PageReader {
        try allow(location, for: asker)
        let present = try await hosted.present()
        let (pages, continuation) = AsyncStream.makeStream(
            of: PageUpdate.self, bufferingPolicy: .bufferingNewest(1))
        let reader = Reader(tab: tab, own: own, location: location, updates: continuation)
        let known = self.location(of: reader, present.state)
        let page = try cache.render(present, at: known ?? location)
        continuation.yield(
            PageUpdate(page: page, tabLocation: known?.tabLocation, notice: notice))
        lastReader += 1
        if isClosed { continuation.finish() } else { readers[lastReader] = reader }
        return PageReader(id: lastReader, pages: pages, continuation: continuation)
    }

    /// Forgets a reader.
    func unsubscribe(_ reader: PageReader) {
        readers.removeValue(forKey: reader.id)?.updates.finish()
    }

    /// Renders what was committed, once for all readers at a location, and notifies them; without
    /// readers, it does nothing.
    ///
    /// What can't be stored isn't sent either; the next sign of life tries again.
    nonisolated func refresh() async {
        await withTaskExecutorPreference(page.drawingExecutor) { await drawForReaders() }
    }

    private func drawForReaders() async {
        guard !readers.isEmpty, let present = try? await hosted.present() else { return }
        let state = present.state
        let notice = notice
        for (id, reader) in readers {
            do {
                let location = location(of: reader, state)
                let shown = location ?? reader.location.seen(by: reader.own?.value)
                let page = try cache.render(present, at: shown)
                reader.updates.yield(
                    PageUpdate(page: page, tabLocation: location?.tabLocation, notice: notice))
                if shown.key != reader.location.key { readers[id]?.location = shown }
            } catch {
                logger.error("A page can't be drawn.", metadata: ["reason": "\(error)"])
            }
        }
        tidy()
    }

    /// What readers have to know about the store now; nil if there is nothing.
    private var notice: String? { hosted.notice?() }

    /// Closes the tabs in the state that have no open stream, and had none the last time.
    ///
    /// If other servers show the store, streams may be there; then only tabs with one here count.
    func closeGoneTabs() async {
        guard let routes = page.routes else { return }
        let streams = Set(readers.values.compactMap(\.tab))
        let gone = closedTabs.look(
            at: routes.tabs(in: hosted.store.state), streams: streams,
            isAlone: hosted.log == nil)
        for tab in gone {
            let step = routes.closing(tab)
            let closing = PostedAction<State>(
                id: RandomID().description, since: nil, isConditional: false, file: #fileID
            ) { _ in .apply(step.action, to: step.address) }
            _ = await hosted.apply(closing)
        }
    }

    /// Ends all streams; later ones end immediately.
    func close() {
        isClosed = true
        for reader in readers.values { reader.updates.finish() }
        readers = [:]
    }

    private func tidy() {
        cache.tidy { Set(readers.values.map(\.location.key)) }
    }

    /// The location of the reader's tab; nil if the state doesn't know it.
    private func location(of reader: Reader, _ state: State) -> PageLocation<State>? {
        reader.tab.flatMap { page.routes?.location(of: $0, in: state, was: reader.location) }?
            .seen(by: reader.own?.value)
    }
}

/// One open stream's view of a ``PageFeed``.
struct PageReader: Sendable {
    let id: Int
    let pages: AsyncStream<PageUpdate>
    private let continuation: AsyncStream<PageUpdate>.Continuation

    init(
        id: Int, pages: AsyncStream<PageUpdate>, continuation: AsyncStream<PageUpdate>.Continuation
    ) {
        self.id = id
        self.pages = pages
        self.continuation = continuation
    }

    /// Ends the stream from any thread.
    func end() { continuation.finish() }
}
#endif
