// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardNavigation
import Testing

@testable import TestSupport

@Suite struct NavigationTests {
    private struct App: Sendable, Equatable {
        var routes = RouteStack(Screen.menu)
        var tabs = RouteTabs<Screen>(limit: 3)
    }

    private func store() -> Store<App> {
        Store(App()) {
            Scope(\.routes, Navigation<Screen>(depthLimit: 5))
            Scope(\.tabs, TabNavigation<Screen>(depthLimit: 5))
        }
    }

    @Test
    func `the feature goes where its actions say`() {
        let store = Store(RouteStack(Screen.menu)) { Navigation<Screen>() }
        let actions: [(NavigationAction<Screen>, [Screen])] = [
            (.push(.categories), [.menu, .categories]),
            (.push(.game), [.menu, .categories, .game]),
            (.popTo(.categories), [.menu, .categories]),
            (.replace(.game), [.menu, .game]),
            (.pop, [.menu]),
            (.show(RouteStack(.game, .categories)), [.game, .categories]),
            (.popToRoot, [.game]),
        ]
        for (action, screens) in actions {
            store.dispatch(action)
            #expect(store.state.screens == screens, "\(action)")
        }
        store.dispatch(NavigationAction.present(Screen.menu))
        #expect(store.state[.sheet] == .menu)
        store.dispatch(NavigationAction<Screen>.dismiss(.sheet))
        #expect(store.state == RouteStack(.game))
    }

    @Test
    func `subscribers aren't notified of going to the current screen`() {
        let store = store()
        let notified = Log<RouteStack<Screen>>()
        let token = store.subscribe(\.routes) { _, new in notified.append(new) }
        let routes = store.scoped(to: \.routes)
        routes.dispatch(NavigationAction.push(Screen.game))
        routes.dispatch(NavigationAction.push(Screen.game))
        routes.dispatch(NavigationAction.popTo(Screen.categories))
        #expect(notified.all == [RouteStack(.menu, .game)])
        token.cancel()
    }

    @Test
    func `keeps to its depth, so that nobody can fill the memory by going on`() {
        let store = store()
        let routes = store.scoped(to: \.routes)
        for id in 0..<100 { routes.dispatch(NavigationAction.push(Screen.album(id, side: nil))) }
        #expect(routes.state.screens.count == 5)
        #expect(routes.state.root == .menu)
        #expect(routes.state.current == .album(99, side: nil))
    }

    @Test
    func `names on the wire are those of the route's type and the case`() {
        #expect(NavigationAction<Screen>.pop.wireName == "Navigation.Screen/pop")
        #expect(NavigationAction.push(Screen.game).wireName == "Navigation.Screen/push")
        #expect(NavigationAction.present(Screen.game).wireName == "Navigation.Screen/present")
        #expect(TabAction<Screen>.close("a").wireName == "Tabs.Screen/close")
        #expect(store().log.actions.names == ["Navigation.Screen", "Tabs.Screen"])
    }

    @Test
    func `actions are written and read`() throws {
        var stack = RouteStack(Screen.menu, .game)
        stack.present(.categories, in: "player")
        let actions: [NavigationAction<Screen>] = [
            .push(.album(1, side: "a")), .pop, .popTo(.menu), .popToRoot, .replace(.game),
            .present(.game, in: .alert), .dismiss(.sheet), .dismiss(), .show(stack),
        ]
        let data = try JSONEncoder().encode(actions)
        #expect(try JSONDecoder().decode([NavigationAction<Screen>].self, from: data) == actions)
        let open = try JSONEncoder().encode(TabAction.open("a", at: stack))
        #expect(
            try JSONDecoder().decode(TabAction<Screen>.self, from: open) == .open("a", at: stack))
    }

    @Test
    func `each tab has a stack of its own`() {
        let store = store()
        let tabs = store.scoped(to: \.tabs)
        tabs.dispatch(TabAction.open("one", at: RouteStack(Screen.menu)))
        tabs.dispatch(TabAction.open("two", at: RouteStack(Screen.menu, .categories)))
        #expect(
            tabs.dispatch(
                NavigationAction.push(Screen.game), to: RouteTabs<Screen>.address(ofTab: "one")
            ).isAccepted)
        #expect(tabs.state["one"] == RouteStack(.menu, .game))
        #expect(tabs.state["two"] == RouteStack(.menu, .categories))
        #expect(store.state.routes == RouteStack(.menu))
    }

    @Test
    func `tabs are read as they were written, and never more than there may be`() throws {
        let store = store()
        let tabs = store.scoped(to: \.tabs)
        tabs.dispatch(TabAction.open("one", at: RouteStack(Screen.menu)))
        tabs.dispatch(TabAction.open("two", at: RouteStack(Screen.menu, .categories)))
        let data = try JSONEncoder().encode(tabs.state)
        #expect(try JSONDecoder().decode(RouteTabs<Screen>.self, from: data) == tabs.state)
        let small = String(decoding: data, as: UTF8.self).replacing(
            "\"limit\":3", with: "\"limit\":1")
        let read = try JSONDecoder().decode(RouteTabs<Screen>.self, from: Data(small.utf8))
        #expect(read.open.map(\.id) == ["two"])
    }

    @Test
    func `an action without address moves all tabs`() {
        let store = store()
        let tabs = store.scoped(to: \.tabs)
        tabs.dispatch(TabAction.open("one", at: RouteStack(Screen.menu, .game)))
        tabs.dispatch(TabAction.open("two", at: RouteStack(Screen.menu, .categories)))
        tabs.dispatch(NavigationAction<Screen>.popToRoot)
        #expect(tabs.state.open.map(\.routes) == [RouteStack(.menu), RouteStack(.menu)])
    }

    @Test
    func `an action for a tab that isn't open changes nothing`() {
        let store = store()
        let before = store.state
        let result = store.scoped(to: \.tabs).dispatch(
            NavigationAction<Screen>.pop, to: RouteTabs<Screen>.address(ofTab: "nobody"))
        #expect(result == .refused(.absent))
        #expect(store.state == before)
    }

    @Test
    func `a tab that is open stays where it is when it is opened again`() {
        let tabs = store().scoped(to: \.tabs)
        tabs.dispatch(TabAction.open("one", at: RouteStack(Screen.game)))
        tabs.dispatch(TabAction.open("one", at: RouteStack(Screen.menu)))
        #expect(tabs.state["one"] == RouteStack(.game))
        tabs.dispatch(TabAction<Screen>.close("one"))
        #expect(tabs.state["one"] == nil)
    }

    @Test
    func `there are no more tabs than the limit; the oldest makes way`() {
        let tabs = store().scoped(to: \.tabs)
        for id in ["a", "b", "c", "d"] {
            tabs.dispatch(TabAction.open(id, at: RouteStack(Screen.menu)))
        }
        #expect(tabs.state.open.map(\.id) == ["b", "c", "d"])
    }
}

extension DispatchResult {
    fileprivate var isAccepted: Bool {
        if case .accepted = self { true } else { false }
    }
}
