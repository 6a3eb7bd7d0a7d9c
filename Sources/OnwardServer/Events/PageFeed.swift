// SPDX-License-Identifier: MIT
#if Server

import Logging
import Onward

/// The newest page of one store, at each spot at which it is shown, and the readers that want it.
///
/// Each reader owns a stream that holds one page at most, the newest: a reader that doesn't read
/// keeps one reference and delays nothing.
actor PageFeed<State: Sendable> {
    nonisolated let page: Page<State>
    private let store: Store<State>
    private let logger: Logger
    private var shelf: RendererShelf<State>
    private var readers: [Int: Reader] = [:]
    private var lastReader = 0
    private var tabWatch = TabWatch()
    /// How many screens that aren't there yet each asker may have drawn.
    private var screens: Allowances<ClientAddress>
    private let stopwatch: Stopwatch
    private var isClosed = false

    private struct Reader {
        let tab: String?
        /// Where it is; the state knows better if it knows the tab.
        var spot: PageSpot<State>
        let news: AsyncStream<PageNews>.Continuation
    }

    init(
        store: Store<State>, page: Page<State>, logger: Logger, screens: Int, stopwatch: Stopwatch
    ) {
        self.store = store
        self.page = page
        self.logger = logger
        self.shelf = RendererShelf(page)
        self.screens = Allowances(burst: screens, perSecond: 8)
        self.stopwatch = stopwatch
    }

    /// The page as it is now at a spot.
    ///
    /// - Parameters:
    ///   - spot: Where it is shown.
    ///   - asker: Who asks for it; the server itself if nil.
    /// - Returns: The page.
    /// - Throws: ``PageError`` when the page is described wrongly, ``Rejection`` when the asker has
    ///   asked for too many others.
    func current(
        at spot: PageSpot<State>, for asker: ClientAddress? = nil
    ) throws -> RenderedPage {
        try allow(spot, for: asker)
        defer { tidy() }
        return try shelf.render(store.reader, at: spot)
    }

    private func allow(_ spot: PageSpot<State>, for asker: ClientAddress?) throws(Rejection) {
        guard let asker, !shelf.has(spot) else { return }
        guard screens.take(asker, at: stopwatch.elapsed()) else { throw .tooManyScreens }
    }

    /// The pages from now on, beginning with the current one.
    ///
    /// A page that a slow reader didn't take before the next came is skipped. The same page again
    /// is a sign of life. The stream ends with the feed, or when the reader ends it.
    ///
    /// - Parameters:
    ///   - tab: The tab whose screen is wanted.
    ///   - spot: What is wanted while the state doesn't know the tab.
    ///   - asker: Who wants it.
    /// - Returns: The stream, to be given back by ``unsubscribe(_:)``.
    /// - Throws: ``PageError`` when the page is described wrongly, ``Rejection`` when the asker has
    ///   asked for too many others.
    func subscribe(
        tab: String?, at spot: PageSpot<State>, for asker: ClientAddress? = nil
    ) throws -> PageReader {
        try allow(spot, for: asker)
        let (pages, continuation) = AsyncStream.makeStream(
            of: PageNews.self, bufferingPolicy: .bufferingNewest(1))
        let reader = Reader(tab: tab, spot: spot, news: continuation)
        let present = store.reader
        let known = self.spot(of: reader, present.state)
        let page = try shelf.render(present, at: known ?? spot)
        continuation.yield(PageNews(page: page, place: known?.place))
        lastReader += 1
        if isClosed { continuation.finish() } else { readers[lastReader] = reader }
        return PageReader(id: lastReader, pages: pages, continuation: continuation)
    }

    /// Forgets a reader.
    func unsubscribe(_ reader: PageReader) {
        readers.removeValue(forKey: reader.id)?.news.finish()
    }

    /// Renders what was committed, once for all readers at a spot, and tells them; without readers,
    /// nothing.
    func refresh() {
        guard !readers.isEmpty else { return }
        let present = store.reader
        let state = present.state
        for (id, reader) in readers {
            do {
                let spot = spot(of: reader, state)
                let page = try shelf.render(present, at: spot ?? reader.spot)
                reader.news.yield(PageNews(page: page, place: spot?.place))
                if let spot, spot.key != reader.spot.key { readers[id]?.spot = spot }
            } catch {
                logger.error("A page can't be drawn.", metadata: ["reason": "\(error)"])
            }
        }
        tidy()
    }

    /// Closes the tabs in the state that no stream is open for, and wasn't the last time.
    func closeGoneTabs() {
        guard let routes = page.routes else { return }
        let streams = Set(readers.values.compactMap(\.tab))
        for tab in tabWatch.look(at: routes.tabs(in: store.state), streams: streams) {
            routes.close(tab, in: store)
        }
    }

    /// Ends all streams; later ones end at once.
    func close() {
        isClosed = true
        for reader in readers.values { reader.news.finish() }
        readers = [:]
    }

    private func tidy() {
        shelf.tidy { Set(readers.values.map(\.spot.key)) }
    }

    /// Where the reader's tab is; nil if the state doesn't know it.
    private func spot(of reader: Reader, _ state: State) -> PageSpot<State>? {
        reader.tab.flatMap { page.routes?.spot(of: $0, in: state, was: reader.spot) }
    }
}

/// One open stream's view of a ``PageFeed``.
struct PageReader: Sendable {
    let id: Int
    let pages: AsyncStream<PageNews>
    private let continuation: AsyncStream<PageNews>.Continuation

    init(
        id: Int, pages: AsyncStream<PageNews>, continuation: AsyncStream<PageNews>.Continuation
    ) {
        self.id = id
        self.pages = pages
        self.continuation = continuation
    }

    /// Ends the stream from any thread.
    func end() { continuation.finish() }
}
#endif
