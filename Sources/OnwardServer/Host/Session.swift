// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal

/// One hosted store: its post handler, its feed of pages, and the task between commits and feed.
///
/// If visitors have a state beside a shared store, each has a session that shares the store's.
///
/// Ownership: the session holds the observation of the store; the task holds the feed and ends with
/// the signal, which ends with the session.
final class Session<State: Sendable>: Sendable {
    private let hosted: HostedStore<State>
    let postHandler: PostHandler<State>
    let feed: PageFeed<State>
    /// The visitor's own state beside the store; nil if there is none.
    let own: OwnStateBox?
    private let signal: AsyncStream<Void>.Continuation
    private let observation: Subscription
    /// Whether it shares its parts, and so must not end them.
    private let isShared: Bool
    /// Checks now and then whether there is something to report.
    private let watching: Task<Void, Never>?
    /// The owner of the store; nil if visitors share one.
    let visitor: VisitorID?
    private let acted: Guarded<Bool>

    /// Starts watching a store; `memory` is how much it remembers of its posts, and `requests` are
    /// those answered so far, kept up to date, if the app saves them.
    init(
        _ hosted: HostedStore<State>, page: Page<State>, options: ServerOptions,
        limits: ServerLimits, memory: PostMemory, requests: ProcessedRequests? = nil,
        of visitor: VisitorID? = nil, isNew: Bool = false
    ) {
        let (signals, signal) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let feed = PageFeed(
            hosted, page: page, logger: options.logger, screens: limits.screens,
            stopwatch: Stopwatch(options.clock))
        self.hosted = hosted
        self.visitor = visitor
        self.acted = Guarded(!isNew)
        self.postHandler = PostHandler(hosted, page: page, memory: memory, requests: requests)
        self.feed = feed
        self.own = nil
        self.signal = signal
        self.observation = hosted.store.log.attach(CommitSignal(signal: signal))
        self.isShared = false
        self.watching = hosted.notice.map { notice in
            Task {
                var said = notice()
                while (try? await options.clock.sleep(for: .seconds(1))) != nil {
                    let now = notice()
                    if now != said { signal.yield() }
                    said = now
                }
            }
        }
        Task {
            for await _ in signals {
                await feed.refresh()
                // Everything committed in the meantime is one signal and one rendering.
                if options.frame > .zero { try? await options.clock.sleep(for: options.frame) }
            }
        }
    }

    /// The session of a visitor with a state of their own beside a shared store.
    init(sharing session: Session<State>, own: OwnState) {
        self.hosted = session.hosted
        self.watching = nil
        self.visitor = nil
        self.acted = session.acted
        self.postHandler = session.postHandler
        self.feed = session.feed
        self.own = OwnStateBox(own)
        self.signal = session.signal
        self.observation = session.observation
        self.isShared = true
    }

    deinit {
        guard !isShared else { return }
        signal.finish()
        watching?.cancel()
    }

    var store: Store<State> { hosted.store }

    /// Whether someone has acted in it, now or in an earlier run of the program.
    var hasActed: Bool { acted.withValue { $0 } }

    /// Notes that its visitor acts.
    func act() { acted.withValue { $0 = true } }

    /// Returns once what was committed before has reached the level of the store's journal.
    ///
    /// - Throws: ``Rejection`` if it can't be stored.
    func reachLevel() async throws(Rejection) { try await hosted.reachLevel() }

    /// Ends the store.
    func shutdown() async { if !isShared { await hosted.shutdown() } }

    /// Makes the feed draw what a visitor's own state shows now.
    func ownStateChanged() { signal.yield() }

    /// What readers have to know about the store now; empty if there is nothing.
    var notice: String { hosted.notice?() ?? "" }

    /// Where a tab is, as JSON for the script; nil if it isn't open.
    func tabLocation(of tab: String?) -> String? {
        guard let tab, let routes = feed.page.routes else { return nil }
        let snapshot = store.log.snapshot
        return routes.location(of: tab, in: snapshot.state, was: nil)?.tabLocation.json(
            at: hosted.log?.version(snapshot.version) ?? snapshot.version)
    }

    /// Ends the streams; the store stays.
    func close() async {
        observation.cancel()
        signal.finish()
        watching?.cancel()
        await feed.close()
    }
}
#endif
