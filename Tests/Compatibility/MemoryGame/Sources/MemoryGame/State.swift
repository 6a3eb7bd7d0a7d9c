// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftRouter

struct AppState: StateType {
    var navigationState: NavigationState
    var menuState: MenuState
    var categoriesState: CategoriesState
    var gameState: GameState
}

struct MenuState: Equatable {
    var titles = ["New Game", "Choose Category"]
}

enum Category: String, CaseIterable {
    case pop = "Pop"
    case electronic = "Electronic"
    case jazz = "Jazz"
}

struct CategoriesState: Equatable {
    var categories = Category.allCases
    var current = Category.pop
}

struct MemoryCard: Equatable {
    let cover: String
    var isFlipped = false
    var isMatched = false
}

struct GameState: Equatable {
    var cards: [MemoryCard] = []
    var isLoading = false
    var failure: String?
    var moves = 0

    var isOver: Bool { !cards.isEmpty && cards.allSatisfy(\.isMatched) }
}
