// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import OnwardTesting
import Testing

@testable import MemoryTunesCore

@Suite struct MemoryTunesTests {
    private let outside = Outside()

    /// A store whose game is shown and dealt.
    private func playing() async throws -> Store<MemoryTunes> {
        let store = outside.store()
        store.open("tab", at: .game)
        let search = try #require(await outside.nextSearch())
        search.answer.resume(returning: covers(8))
        _ = try await store.wait { $0.game.isPlaying }
        return store
    }

    @Test func `the menu has its title and two rows in their order`() {
        let menu = outside.store().state.menu
        #expect(menu.title == "Menu")
        #expect(menu.rows.map(\.text) == ["New Game 🎲", "Choose Category 🎵"])
        #expect(menu.rows.map(\.screen) == [.game, .categories])
    }

    @Test func `the categories are five, in their order, and the first is current`() {
        #expect(Category.allCases.map(\.rawValue) == ["Pop", "Electronic", "Rock", "Metal", "Rap"])
        #expect(outside.store().state.categories.current == .pop)
    }

    @Test(arguments: Category.allCases)
    func `a tap changes the category, stays on the screen, and is saved`(
        category: Category
    ) async {
        let store = outside.store()
        store.open("tab", at: .categories)
        store.dispatch(CategoriesAction.choose(category: category))
        #expect(store.state.categories.current == category)
        #expect(store.state.routing["tab"]?.current == .categories)
        await store.shutdown()
        // What a launch begins with is not saved again.
        #expect(
            outside.saved.last?.currentCategoryKey == (category == .pop ? nil : category.rawValue))
    }

    @Test(
        arguments: [
            ("Rock", Category.rock), ("Rap", .rap), ("Jazz", .pop), ("rock", .pop), ("", .pop),
            (nil, .pop),
        ] as [(String?, Category)])
    func `the saved category is current again, and an unknown or missing one means Pop`(
        name: String?, category: Category
    ) {
        let store = outside.store(SavedState(currentCategoryKey: name, game: nil))
        #expect(store.state.categories.current == category)
    }

    @Test(arguments: [(Screen.menu, "/"), (.categories, "/categories"), (.game, "/game")])
    func `every screen has its URL`(screen: Screen, url: String) {
        #expect(Screen.codec.text(of: screen) == url)
        #expect(Screen.codec.route(at: url) == screen)
    }

    @Test(arguments: ["/games", "/game/1", "", "//", "/%FF", "/categories/../game"])
    func `an unknown URL is a screen of its own`(url: String) {
        #expect(Screen.codec.route(at: url) == .notFound)
    }

    @Test func `going to the screen that is shown changes nothing`() {
        let store = outside.store()
        store.open("tab", at: .categories)
        let before = store.state.routing
        store.go("tab", .push(.categories))
        #expect(store.state.routing == before)
    }

    @Test(arguments: Category.allCases)
    func `a game asks for covers of its category and deals what comes`(
        category: Category
    ) async throws {
        let store = outside.store()
        store.dispatch(GameAction.start(category: category))
        store.open("tab", at: .game)
        let search = try #require(await outside.nextSearch())
        #expect(search.category == category)
        #expect(store.state.game.deal.isLoading)
        search.answer.resume(returning: covers(10))
        let state = try await store.wait { $0.game.isPlaying }
        #expect(state.game.cards.count == 16)
        await store.shutdown()
    }

    @Test func `a visitor of the game when there is none gets one of the current category`()
        async throws
    {
        let store = outside.store(SavedState(currentCategoryKey: "Metal", game: nil))
        #expect(store.state.game.deal.isIdle)
        store.open("tab", at: .game)
        #expect(try #require(await outside.nextSearch()).category == .metal)
        #expect(store.state.game.number == 1)
    }

    @Test func `the store's seed decides where the cards lie`() async throws {
        var dealt: [[Card]] = []
        for seed: UInt64 in [1, 1, 2] {
            let store = outside.store(seed: seed)
            store.dispatch(GameAction.start(category: .pop))
            try #require(await outside.nextSearch()).answer.resume(returning: covers(8))
            dealt.append(try await store.wait { $0.game.isPlaying }.game.cards)
            await store.shutdown()
        }
        #expect(dealt[0] == dealt[1])
        #expect(dealt[0] != dealt[2])
    }

    @Test(arguments: [Problem.unreachable, .timedOut, .status(500), .unreadable, .tooLarge])
    func `a problem of the catalogue is reported, and can be tried again`(
        problem: Problem
    ) async throws {
        let store = outside.store()
        store.open("tab", at: .game)
        try #require(await outside.nextSearch()).answer.resume(throwing: problem)
        _ = try await store.wait { $0.game.deal == .failed(problem) }
        #expect(!problem.reason.isEmpty)
        store.dispatch(GameAction.start(category: .pop))
        try #require(await outside.nextSearch()).answer.resume(returning: covers(8))
        _ = try await store.wait { $0.game.isPlaying }
        #expect(outside.errors == [])
        await store.shutdown()
    }

    @Test func `an answer that comes after the player left is ignored`() async throws {
        let store = outside.store()
        store.open("tab", at: .game)
        let late = try #require(await outside.nextSearch())
        store.go("tab", .pop)
        late.answer.resume(returning: covers(8))
        await store.waitUntilIdle()
        #expect(store.state.game.deal.isLoading)
        store.go("tab", .push(.game))
        let next = try #require(await outside.nextSearch())
        #expect(store.state.game.cards.isEmpty)
        next.answer.resume(returning: covers(9))
        _ = try await store.wait { $0.game.isPlaying }
        await store.shutdown()
    }

    @Test func `as long as one tab shows the game, its covers are awaited`() async throws {
        let store = outside.store()
        store.open("one", at: .game)
        store.open("two", at: .game)
        let search = try #require(await outside.nextSearch())
        store.go("one", .popToRoot)
        search.answer.resume(returning: covers(8))
        _ = try await store.wait { $0.game.isPlaying }
        await store.shutdown()
    }

    @Test func `a game of a tab without script is dealt, whatever other tabs show`() async throws {
        let store = outside.store()
        store.open("tab", at: .menu)
        store.dispatch(GameAction.start(category: .rap))
        try #require(await outside.nextSearch()).answer.resume(returning: covers(8))
        _ = try await store.wait { $0.game.isPlaying }
        await store.shutdown()
    }

    @Test func `a game that a tab has started and left isn't dealt`() async throws {
        let store = outside.store()
        store.open("tab", at: .game)
        let due = try #require(await outside.nextSearch())
        store.dispatch(GameAction.start(category: .rap, tab: "tab"))
        let late = try #require(await outside.nextSearch())
        store.go("tab", .pop)
        for search in [due, late] { search.answer.resume(returning: covers(8)) }
        await store.waitUntilIdle()
        #expect(store.state.game.deal.isLoading)
        await store.shutdown()
    }

    @Test func `an answer that comes after a restart is ignored`() async throws {
        let store = outside.store()
        store.open("tab", at: .game)
        let late = try #require(await outside.nextSearch())
        store.dispatch(GameAction.start(category: .rock))
        let next = try #require(await outside.nextSearch())
        late.answer.resume(returning: covers(8))
        next.answer.resume(returning: covers(12).suffix(8))
        let state = try await store.wait { $0.game.isPlaying }
        #expect(state.game.number == 2)
        #expect(state.game.cards.contains { $0.cover == covers(12)[11] })
        await store.shutdown()
    }

    /// A test store that shows a game whose cards are dealt.
    private func dealt() -> TestStore<MemoryTunes> {
        let saved = SavedState(currentCategoryKey: nil, game: Play.dealt().game)
        let store = outside.testStore(saved)
        store.live.open("tab", at: .game)
        return store
    }

    @Test func `the clock runs while the game is played and seen`() async {
        let store = dealt()
        await store.advance(by: .seconds(2))
        #expect(store.live.state.game.seconds == 2)
        store.live.go("tab", .pop)
        await store.advance(by: .seconds(60))
        #expect(store.live.state.game.seconds == 2)
        store.live.go("tab", .push(.game))
        await store.advance(by: .seconds(1))
        #expect(store.live.state.game.seconds == 3)
        await store.finish(.partial)
    }

    @Test func `a finished game stops the clock`() async {
        let store = dealt()
        let cards = store.state.game.cards
        for cover in Set(cards.map(\.cover)) {
            for card in cards where card.cover == cover {
                await store.dispatch(GameAction.flip(card: card.id), .partial)
            }
        }
        #expect(store.state.game.isFinished)
        await store.advance(by: .seconds(60))
        #expect(store.live.state.game.seconds == 0)
        await store.finish(.partial)
    }

    @Test func `no more than some seconds of play are unsaved`() async throws {
        let store = dealt()
        await store.advance(by: .seconds(23))
        let seconds = outside.saved.compactMap(\.game?.seconds)
        #expect(try #require(seconds.last) >= 17)
        #expect(zip([0] + seconds, seconds).allSatisfy { $1 - $0 <= 6 && $1 > $0 })
        #expect(seconds.count <= 6)
        await store.finish(.partial)
    }

    @Test func `every flip is saved, and the next launch goes on from there`() async throws {
        let store = try await playing()
        for card in [0, 1, 2] { store.dispatch(GameAction.flip(card: card)) }
        await store.shutdown()
        let saved = try #require(outside.saved.last)
        #expect(saved.game == store.state.game)
        let next = outside.store(saved)
        #expect(next.state.game == store.state.game)
        next.dispatch(GameAction.flip(card: 9))
        #expect(next.state.game != store.state.game)
        await next.shutdown()
    }

    @Test func `the state of the last of many changes is what is saved last`() async throws {
        let store = try await playing()
        for card in 0..<16 { store.dispatch(GameAction.flip(card: card)) }
        await store.shutdown()
        #expect(outside.saved.last == store.state.saved)
    }

    @Test func `after the end of a store none of its effects is alive`() async throws {
        let store = try await playing()
        store.dispatch(GameAction.start(category: .rap))
        let search = try #require(await outside.nextSearch())
        async let end = store.shutdown()
        search.answer.resume(throwing: CancellationError())
        _ = await end
        #expect(store.diagnostics.runningEffects.isEmpty)
        #expect(outside.clock.sleeperCount == 0)
        #expect(outside.errors == [])
    }

    @Test func `the names on the wire stay what saved logs and open pages use`() {
        #expect(GameAction.start(category: .pop).wireName == "GameAction/start")
        #expect(GameAction.flip(card: 1).wireName == "GameAction/flip")
        #expect(GameAction.acknowledge.wireName == "GameAction/acknowledge")
        #expect(CategoriesAction.choose(category: .pop).wireName == "CategoriesAction/choose")
        #expect(NavigationAction<Screen>.popToRoot.wireName == "Navigation.Screen/popToRoot")
    }
}
