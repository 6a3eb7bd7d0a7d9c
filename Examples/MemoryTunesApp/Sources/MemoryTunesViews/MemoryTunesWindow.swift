// SPDX-License-Identifier: MIT

import Foundation
public import MemoryTunesCore
public import Onward
import OnwardNavigation
public import SwiftUI

/// One window of the app: it is at a screen of its own, and shows the game that all windows share.
public struct MemoryTunesWindow: View {
    private let game: FeatureStore<Game, GameAction>
    private let categories: FeatureStore<Categories, CategoriesAction>
    @Bindable private var windows: Store<RouteTabs<Screen>>
    @State private var window = UUID().uuidString

    /// A window of the store's game.
    public init(store: Store<MemoryTunes>) {
        game = store.scoped(to: \.game, sending: GameAction.self)
        categories = store.scoped(to: \.categories, sending: CategoriesAction.self)
        windows = store.scoped(to: \.routing)
    }

    /// The menu, and what was pushed over it.
    public var body: some View {
        NavigationStack(path: $windows[screensOf: window]) {
            MenuView(game: game, categories: categories) { screen in
                windows.go(.push(screen), in: window)
            }
            .navigationDestination(for: Screen.self) { screen in
                switch screen {
                case .categories: CategoriesView(categories: categories)
                default: GameView(game: game, categories: categories)
                }
            }
        }
        .fontDesign(.rounded)
        .tint(.teal)
        .onAppear { windows.dispatch(TabAction.open(window, at: RouteStack(Screen.menu))) }
        .onDisappear { windows.dispatch(TabAction<Screen>.close(window)) }
    }
}
