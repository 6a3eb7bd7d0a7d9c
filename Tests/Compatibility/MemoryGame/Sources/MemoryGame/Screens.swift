// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftRouter

class MenuViewController: StoreSubscriber {
    let store: Store<AppState>
    private(set) var titles: [String] = []

    init(store: Store<AppState>) {
        self.store = store
        store.subscribe(self) {
            $0.select {
                $0.menuState
            }
        }
    }

    func newState(state: MenuState) {
        titles = state.titles
    }

    func didSelectRow(_ index: Int) {
        store.dispatch(SetRouteAction(["menu", index == 0 ? "game" : "categories"]))
    }
}

class CategoriesViewController: StoreSubscriber {
    let store: Store<AppState>
    private(set) var marked: [String] = []

    init(store: Store<AppState>) {
        self.store = store
        store.subscribe(self) { $0.select(\.categoriesState).skipRepeats() }
    }

    func newState(state: CategoriesState) {
        marked.append(state.current.rawValue)
    }

    func didSelectRow(_ index: Int) {
        store.dispatch(ChangeCategoryAction(index: index))
    }
}

class GameViewController: StoreSubscriber {
    let store: Store<AppState>
    private(set) var spinner: [Bool] = []
    private(set) var title = ""

    init(store: Store<AppState>) {
        self.store = store
    }

    func viewWillAppear() {
        store.subscribe(self) {
            $0.select { $0.gameState }.skip { old, new in
                old.isLoading == new.isLoading && old.cards == new.cards
                    && old.failure == new.failure
            }
        }
    }

    func viewWillDisappear() {
        store.unsubscribe(self)
    }

    func newState(state: GameState) {
        if spinner.last != state.isLoading { spinner.append(state.isLoading) }
        if let failure = state.failure {
            title = failure
        } else if state.isOver {
            title = "Won in \(state.moves) moves"
        } else {
            title = "\(state.cards.filter { $0.isMatched }.count) of \(state.cards.count)"
        }
    }
}

/// The window: shows one screen on top of the other.
final class Screens {
    var shown: [String] = []
    var didShow: () -> Void = {}
}

struct ScreenRoutable: Routable {
    let screens: Screens

    func pushRouteSegment(
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> Routable {
        screens.shown.append(routeElementIdentifier)
        screens.didShow()
        completionHandler()
        return self
    }

    func popRouteSegment(
        _ routeElementIdentifier: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) {
        screens.shown.removeLast()
        screens.didShow()
        completionHandler()
    }

    func changeRouteSegment(
        _ from: RouteElementIdentifier, to: RouteElementIdentifier, animated: Bool,
        completionHandler: @escaping RoutingCompletionHandler
    ) -> Routable {
        screens.shown[screens.shown.count - 1] = to
        screens.didShow()
        completionHandler()
        return self
    }
}
