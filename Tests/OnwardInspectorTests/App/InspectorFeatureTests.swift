// SPDX-License-Identifier: MIT
#if Server

import InspectedShop
import Onward
import OnwardInspection
import OnwardJournal
import OnwardNavigation
import OnwardTesting
import Testing

@testable import OnwardInspector

struct InspectorFeatureTests {
    private let shop = makeShop()
    private let stores = StoreList()
    private let clock = ManualClock()
    private let store: Store<InspectorState>

    init() {
        _ = stores.attach(shop, as: "shop", limit: 100)
        let stores = stores
        store = Store(InspectorState(), options: StoreOptions(clock: clock)) {
            inspectorFeature(of: stores, apps: RemoteApps(stores))
        }
    }

    private func steer(_ command: InspectorCommand) {
        store.dispatch(Steer(store: "shop", command))
    }

    @Test func `whoever dispatched a command finds what came of it in the state`() {
        shop.dispatch(Visit())
        shop.dispatch(Visit())
        steer(.jump(moment: 1))
        #expect(shop.state.visits == 1)
        #expect(store.state["shop"]?.summary.cursor == 1)
        steer(.live)
        steer(.toggle(entry: 1))
        #expect(shop.state.visits == 1)
        #expect(store.state["shop"]?.summary.skipped == 1)
    }

    @Test func `what comes while the past is shown is counted until the newest moment is`() {
        shop.dispatch(Visit())
        shop.dispatch(Visit())
        steer(.jump(moment: 1))
        #expect(store.state["shop"]?.waiting == 0)
        shop.dispatch(Visit())
        steer(.jump(moment: 0))
        #expect(store.state["shop"]?.waiting == 1)
        shop.dispatch(Visit())
        steer(.jump(moment: 1))
        #expect(store.state["shop"]?.waiting == 2)
        steer(.live)
        #expect(store.state["shop"]?.waiting == 0)
        #expect(shop.state.visits == 4)
    }

    @Test func `why a command was not done is said until the next one`() {
        steer(.jump(moment: 7))
        #expect(store.state["shop"]?.problem == "There is no moment 7.")
        steer(.lock)
        #expect(store.state["shop"]?.problem == nil)
        #expect(shop.dispatch(Visit()) == .withheld)
        #expect(shop.state.visits == 0)
    }

    @Test func `a playback goes from moment to moment to the newest, and ends there`() async throws
    {
        for _ in 0..<3 { shop.dispatch(Visit()) }
        steer(.jump(moment: 1))
        await clock.sleepers(1)
        store.dispatch(Play(store: "shop", speed: .single))
        for moment in 2...3 {
            await clock.sleepers(2)
            #expect(shop.state.visits == moment - 1)
            clock.advance(by: .milliseconds(500))
            try await store.wait { $0["shop"]?.summary.cursor == moment }
        }
        try await store.wait { $0.playback == nil }
        #expect(shop.state.visits == 3)
    }

    @Test func `a playback begins anew at the end, and stops when somebody steers`() async throws {
        for _ in 0..<3 { shop.dispatch(Visit()) }
        await clock.sleepers(1)
        store.dispatch(Play(store: "shop", speed: .double))
        await clock.sleepers(2)
        #expect(shop.state.visits == 0)
        steer(.jump(moment: 2))
        #expect(store.state.playback == nil)
        store.dispatch(Play(store: "nowhere", speed: .double))
        try await store.wait { $0.playback == nil }
        #expect(shop.state.visits == 2)
    }

    @Test func `a playback as recorded waits as long as it was, at most a minute`() {
        func wait(_ delta: Int64) -> Duration? {
            var log = FixedLog()
            log.delta = delta
            return Playback(store: "shop", speed: .recorded).wait(in: log)
        }
        #expect(wait(2_000_000) == .milliseconds(2))
        #expect(wait(-5) == .zero)
        #expect(wait(.max) == .seconds(60))
    }

    @Test func `no field of a form takes a name that pages keep for themselves`() throws {
        let values: DataValue = [
            "store": "shop", "action": "A", "field.type": "x", "type": "y", "request": "z",
        ]
        let filled: FillIn = try values.decoded()
        #expect(filled.texts == ["type": "x"])
    }

    @Test func `a form that was filled in is dispatched, or says what is wrong with it`() {
        store.dispatch(
            FillIn(store: "shop", action: "CartAction/remove", ["value": "x"]))
        #expect(store.state["shop"]?.problem == "\"value\" is no whole number: x")
        store.dispatch(FillIn(store: "shop", action: "Nothing", [:]))
        #expect(store.state["shop"]?.problem == "There is no form for \"Nothing\".")
        store.dispatch(
            FillIn(
                store: "shop", action: "CartAction/add", ["id": "1", "name": "Fig", "price": "2"]))
        #expect(store.state["shop"]?.problem == nil)
        #expect(shop.state.cart.total == 2)
    }

    @Test func `a store that ended before anything happened in it is forgotten, any other stays`()
        async throws
    {
        for name in ["empty", "used"] {
            let ended = makeShop()
            _ = stores.attach(ended, as: name, limit: 100)
            if name == "used" { ended.dispatch(Visit()) }
            await ended.shutdown()
        }
        try await store.wait { $0["shop"] != nil }
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        try await store.wait { $0["used"] != nil && $0["empty"] == nil }
        #expect(store.state["used"]?.summary.count == 1)
    }

    @Test func `a log is looked at often while a tab is open, and seldom otherwise`() async throws {
        try await store.wait { $0["shop"] != nil }
        #expect(store.state.pace == .seconds(1))
        shop.dispatch(Visit())
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        try await store.wait { $0["shop"]?.summary.count == 1 }
        shop.dispatch(Visit())
        store.scoped(to: \.tabs).dispatch(TabAction.open("tab", at: RouteStack(Place())))
        #expect(store.state.pace == .milliseconds(100))
        try await store.wait { $0["shop"]?.summary.count == 2 }
    }

    @Test(arguments: [(50, 1), (51, 3)])
    func `a log in which very much happens is looked at less often`(
        entries: Int, ticks: Int
    ) async throws {
        try await store.wait { $0["shop"] != nil }
        shop.dispatch(Visit())
        store.scoped(to: \.tabs).dispatch(TabAction.open("tab", at: RouteStack(Place())))
        try await store.wait { $0["shop"]?.summary.taken == 1 }
        func tick() async {
            await clock.sleepers(1)
            clock.advance(by: .milliseconds(100))
        }
        for _ in 0..<entries { shop.dispatch(Visit()) }
        await tick()
        try await store.wait { $0["shop"]?.summary.taken == 1 + entries }
        shop.dispatch(Visit())
        for _ in 1..<ticks {
            await tick()
            await clock.sleepers(1)
            #expect(store.state["shop"]?.summary.taken == 1 + entries)
        }
        await tick()
        try await store.wait { $0["shop"]?.summary.taken == 2 + entries }
    }
}

/// A log of two entries, of which the second is still to come.
private struct FixedLog: InspectedLog {
    var delta: Int64 = 0

    var summary: LogSummary {
        var summary = LogSummary()
        (summary.count, summary.cursor) = (2, 1)
        return summary
    }

    func entries(_ query: EntryQuery) -> EntryPage {
        var line = EntryLine()
        (line.id, line.moment, line.delta) = (2, 2, delta)
        var page = EntryPage()
        page.entries = [line]
        return page
    }

    func entry(_ id: Int) -> EntryDetail? { nil }
    func moment(after id: Int) -> Int? { nil }
    func id(before moment: Int) -> Int? { nil }
    func state(at moment: Int, _ path: DataPath, from first: Int, limit: Int) -> StateNode? { nil }
    func changes(from old: Int, to new: Int, in path: DataPath, limit: Int) -> [StateChange] { [] }
    func value(at moment: Int, _ path: DataPath) -> DataValue? { nil }
}
#endif
