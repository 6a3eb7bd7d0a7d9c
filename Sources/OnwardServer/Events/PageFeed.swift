// SPDX-License-Identifier: MIT
#if Server

import Logging
import Onward

/// The newest page of one store, and the readers who want to hear of it.
///
/// Each reader owns a stream that holds one page at most, the newest: a reader that doesn't read
/// keeps one reference and delays nobody.
actor PageFeed<State: Sendable> {
    private let store: Store<State>
    private let logger: Logger
    private var renderer: PageRenderer<State>
    private var readers: [Int: AsyncStream<RenderedPage>.Continuation] = [:]
    private var lastReader = 0
    private var isClosed = false

    init(store: Store<State>, page: Page<State>, logger: Logger) {
        self.store = store
        self.logger = logger
        self.renderer = PageRenderer(page, epoch: RandomID().description)
    }

    /// The page as it is now.
    func current() throws(PageError) -> RenderedPage {
        let snapshot = store.snapshot
        return try renderer.render(snapshot.state, version: snapshot.version)
    }

    /// The pages from now on, beginning with the current one.
    ///
    /// A page that a slow reader didn't take before the next came is skipped. The same page again
    /// is a sign of life. The stream ends with the feed, or when the reader ends it.
    func subscribe() throws(PageError) -> PageReader {
        let (pages, continuation) = AsyncStream.makeStream(
            of: RenderedPage.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield(try current())
        lastReader += 1
        guard !isClosed else {
            continuation.finish()
            return PageReader(id: lastReader, pages: pages, continuation: continuation)
        }
        readers[lastReader] = continuation
        return PageReader(id: lastReader, pages: pages, continuation: continuation)
    }

    /// Forgets a reader.
    func unsubscribe(_ reader: PageReader) {
        readers.removeValue(forKey: reader.id)?.finish()
    }

    /// Renders what was committed, once for all readers, and tells them; without readers, nothing.
    func refresh() {
        guard !readers.isEmpty else { return }
        do {
            let page = try current()
            for reader in readers.values { reader.yield(page) }
        } catch {
            logger.error("A page can't be drawn.", metadata: ["reason": "\(error)"])
        }
    }

    /// Ends all streams; later ones end at once.
    func close() {
        isClosed = true
        for reader in readers.values { reader.finish() }
        readers = [:]
    }
}

/// One open stream's view of a ``PageFeed``.
struct PageReader: Sendable {
    let id: Int
    let pages: AsyncStream<RenderedPage>
    private let continuation: AsyncStream<RenderedPage>.Continuation

    init(
        id: Int, pages: AsyncStream<RenderedPage>,
        continuation: AsyncStream<RenderedPage>.Continuation
    ) {
        self.id = id
        self.pages = pages
        self.continuation = continuation
    }

    /// Ends the stream from any thread.
    func end() { continuation.finish() }
}
#endif
