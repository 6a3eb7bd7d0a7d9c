// SPDX-License-Identifier: MIT

import Onward
import ReSwiftRouter
import ReSwiftThunk
import Testing

@testable import MemoryGame
@testable import ReSwift

@Suite(.serialized) struct MemoryGameTests {
    let store = makeStore()

    @Test func `A game is loaded by an action creator, played and won`() {
        var answer: (([String]?) -> Void)?
        fetchCovers = { _, callback in answer = callback }
        let game = GameViewController(store: store)
        game.viewWillAppear()
        store.dispatch(fetchCards)
        #expect(store.state.gameState.isLoading)
        answer?(["a", "b"])
        #expect(game.title == "0 of 4")
        for index in [0, 1, 2, 0, 1, 3] { store.dispatch(FlipCardAction(index: index)) }
        #expect(game.title == "Won in 3 moves")
        #expect(game.spinner == [false, true, false])
        game.viewWillDisappear()
        store.dispatch(FetchingCoversAction())
        #expect(game.title == "Won in 3 moves")
    }

    @Test func `An answer that comes later and fails is shown`() {
        var later: (() -> Void)?
        DispatchLater.run = { later = $0 }
        defer { DispatchLater.run = { $0() } }
        fetchCovers = { _, callback in callback(nil) }
        let game = GameViewController(store: store)
        game.viewWillAppear()
        store.dispatch(fetchCards)
        #expect(store.state.gameState.isLoading)
        later?()
        #expect(game.title == "no covers")
    }

    @Test
    func `A thunk is tested by its body, and a shared store begins anew without subscriptions`() {
        fetchCovers = { category, callback in callback([category.rawValue]) }
        var dispatched: [any ReSwift.Action] = []
        play(1).body({ dispatched.append($0) }, { nil })
        #expect(dispatched.contains { $0 is ChangeCategoryAction })
        let game = GameViewController(store: store)
        game.viewWillAppear()
        store.subscriptions.removeAll()
        store.dispatch(FetchingCoversAction())
        #expect(game.spinner == [false])
    }

    @Test func `An asynchronous action creator calls back with the state`() {
        fetchCovers = { category, callback in callback([category.rawValue]) }
        var states: [Int] = []
        store.dispatch(refetchCards) { state in states.append(state.gameState.cards.count) }
        #expect(states == [2])
        store.dispatch(refetchCards)
        #expect(store.state.gameState.cards.map(\.cover) == ["Pop", "Pop"])
    }

    @Test func `A thunk chooses a category and starts its game`() {
        fetchCovers = { category, callback in callback([category.rawValue]) }
        let categories = CategoriesViewController(store: store)
        store.dispatch(play(2))
        store.dispatch(play(2))
        categories.didSelectRow(1)
        #expect(categories.marked == ["Pop", "Jazz", "Electronic"])
        #expect(store.state.gameState.cards.map(\.cover) == ["Jazz", "Jazz"])
    }

    @MainActor
    @Test func `The router shows the screens of the route`() async {
        let screens = Screens()
        let (steps, step) = AsyncStream.makeStream(of: [String].self)
        screens.didShow = { step.yield(screens.shown) }
        var shown = steps.makeAsyncIterator()
        let router = Router(store: store, rootRoutable: ScreenRoutable(screens: screens)) {
            $0.select { $0.navigationState }
        }
        let menu = MenuViewController(store: store)
        #expect(menu.titles == ["New Game", "Choose Category"])
        store.dispatch(SetRouteAction(["menu"]))
        #expect(await shown.next() == ["menu"])
        store.dispatch(SetRouteSpecificData(route: ["menu", "game"], data: Category.jazz))
        menu.didSelectRow(0)
        #expect(await shown.next() == ["menu", "game"])
        let data: MemoryGame.Category? = store.state.navigationState.getRouteSpecificState([
            "menu", "game",
        ])
        #expect(data == .jazz)
        menu.didSelectRow(1)
        #expect(await shown.next() == ["menu", "categories"])
        store.dispatch(SetRouteAction(["menu"]))
        #expect(await shown.next() == ["menu"])
        withExtendedLifetime(router) {}
    }

    @Test func `Time travels, and the old screens follow`() {
        struct Still: Onward.CommitGate {
            typealias State = OnwardState<AppState>
            func accepts(_ pending: PendingCommit) -> Bool { true }
        }
        fetchCovers = { _, callback in callback(["a"]) }
        let controller = store.onward.log.attach(gate: Still())
        let categories = CategoriesViewController(store: store)
        let game = GameViewController(store: store)
        game.viewWillAppear()
        let first = store.onward.state
        store.dispatch(play(1))
        let second = store.onward.state
        controller.install(first, replacing: store.onward.log.version)
        #expect(game.title == "0 of 0")
        controller.install(second, replacing: store.onward.log.version)
        #expect(game.title == "0 of 2")
        #expect(categories.marked == ["Pop", "Electronic", "Pop", "Electronic"])
        controller.detach()
    }
}
