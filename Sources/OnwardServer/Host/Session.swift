// SPDX-License-Identifier: MIT
#if Server

import Onward

/// One hosted store: its handler of posts, its feed of pages, and the task between commit and feed.
///
/// Ownership: the session holds the observation of the store; the task holds the feed and ends with
/// the signal, which ends with the session.
final class Session<State: Sendable>: Sendable {
    let store: Store<State>
    let postHandler: PostHandler<State>
    let feed: PageFeed<State>
    private let signal: AsyncStream<Void>.Continuation
    private let observation: Subscription

    /// Begins to watch a store; `requests` is what was answered before, and what is from now on, where
    /// that is kept.
    init(
        store: Store<State>, page: Page<State>, options: ServerOptions, limits: ServerLimits,
        requests: AnsweredRequests? = nil
    ) {
        let (signals, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let feed = PageFeed(
            store: store, page: page, logger: options.logger, screens: limits.screens,
            stopwatch: Stopwatch(options.clock))
        self.store = store
        self.postHandler = PostHandler(store: store, page: page, requests: requests)
        self.feed = feed
        self.signal = signal
        self.observation = store.log.attach(CommitSignal(signal: signal))
        Task {
            for await _ in signals {
                await feed.refresh()
                // What is committed meanwhile is one signal and one rendering.
                if options.frame > .zero { try? await options.clock.sleep(for: options.frame) }
            }
        }
    }

    deinit { signal.finish() }

    /// Where a tab is, as JSON for the script; nil for one that isn't open.
    func tabLocation(of tab: String?) -> String? {
        guard let tab, let routes = feed.page.routes else { return nil }
        let snapshot = store.log.snapshot
        return routes.location(of: tab, in: snapshot.state, was: nil)?.tabLocation.json(
            at: snapshot.version)
    }

    /// Ends the streams; the store stays.
    func close() async {
        observation.cancel()
        signal.finish()
        await feed.close()
    }
}
#endif
