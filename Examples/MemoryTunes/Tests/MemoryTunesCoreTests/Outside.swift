// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward
import OnwardJournal
import OnwardNavigation
import OnwardTesting
import Synchronization

/// The app with an outside world that answers when a test says so.
final class Outside: Sendable {
    let clock = ManualClock()
    let searches: AsyncStream<Search>
    private let search: AsyncStream<Search>.Continuation
    private let kept = Kept()
    private let failures = Mutex<[String]>([])

    /// A storage in memory that remembers all that was saved.
    private final class Kept: ValueStorage {
        let states = Mutex<[[UInt8]]>([])

        func read() -> [UInt8]? { states.withLock { $0.last } }
        func write(_ bytes: [UInt8]) { states.withLock { $0.append(bytes) } }
    }

    /// A search that waits for its answer; it doesn't heed its cancellation, as a slow world wouldn't.
    struct Search: Sendable {
        let category: Category
        let answer: CheckedContinuation<[Cover], any Error>
    }

    init() { (searches, search) = AsyncStream.makeStream(of: Search.self) }

    /// What was saved, the newest at the end.
    var saved: [SavedState] {
        kept.states.withLock { $0 }.compactMap { bytes in
            try? DataFormat.json.value(of: bytes)["value"]?.decoded()
        }
    }
    var errors: [String] { failures.withLock { $0 } }

    func store(_ saved: SavedState? = nil, seed: UInt64 = 7) -> Store<MemoryTunes> {
        let options = StoreOptions(
            clock: clock,
            effectError: { [self] failure in
                failures.withLock { $0.append("\(failure.error)") }
            },
            random: RandomSource(seed: seed))
        return Store(MemoryTunes(saved), options: options) { app }
    }

    /// A store for tests that say when time goes by.
    func testStore(_ saved: SavedState? = nil) -> TestStore<MemoryTunes> {
        TestStore(MemoryTunes(saved), clock: clock) { app }
    }

    /// The app in this world.
    private var app: Feature<MemoryTunes> {
        Feature {
            memoryTunes { [self] category in
                let covers = try await withCheckedThrowingContinuation {
                    _ = search.yield(Search(category: category, answer: $0))
                }
                return (covers, false)
            }
            Saving(\.saved, as: SavedValue(in: kept), after: .seconds(2))
        }
    }

    /// The next search.
    func nextSearch() async -> Search? {
        for await search in searches { return search }
        return nil
    }
}

extension Store where State == MemoryTunes {
    /// Opens a browser tab.
    func open(_ tab: String, at screen: Screen...) {
        let stack = RouteStack(.menu, pushed: screen.filter { $0 != .menu })
        scoped(to: \.routing).dispatch(TabAction.open(tab, at: stack))
    }

    /// Moves a tab.
    func go(_ tab: String, _ action: NavigationAction<Screen>) {
        scoped(to: \.routing).dispatch(action, to: RouteTabs<Screen>.address(ofTab: tab))
    }
}
