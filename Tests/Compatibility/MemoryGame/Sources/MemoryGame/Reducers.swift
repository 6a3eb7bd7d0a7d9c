// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftRouter

func appReducer(action: Action, state: AppState?) -> AppState {
    return AppState(
        navigationState: NavigationReducer.handleAction(action, state: state?.navigationState),
        menuState: menuReducer(action: action, state: state?.menuState),
        categoriesState: categoriesReducer(action: action, state: state?.categoriesState),
        gameState: gameReducer(action: action, state: state?.gameState)
    )
}

func menuReducer(action: Action, state: MenuState?) -> MenuState {
    return state ?? MenuState()
}

func categoriesReducer(action: Action, state: CategoriesState?) -> CategoriesState {
    var state = state ?? CategoriesState()
    switch action {
    case let action as ChangeCategoryAction:
        state.current = state.categories[action.index]
    default: break
    }
    return state
}

func gameReducer(action: Action, state: GameState?) -> GameState {
    var state = state ?? GameState()
    switch action {
    case _ as FetchingCoversAction:
        state = GameState(isLoading: true)
    case let action as SetCardsAction:
        state = GameState(cards: (action.covers + action.covers).map { MemoryCard(cover: $0) })
    case let action as FetchingFailedAction:
        state = GameState(failure: action.reason)
    case let action as FlipCardAction:
        state = flip(action.index, state)
    default: break
    }
    return state
}

private func flip(_ index: Int, _ state: GameState) -> GameState {
    var state = state
    guard !state.cards[index].isMatched, !state.cards[index].isFlipped else { return state }
    let open = state.cards.indices.filter {
        state.cards[$0].isFlipped && !state.cards[$0].isMatched
    }
    if open.count == 2 {
        for index in open { state.cards[index].isFlipped = false }
    }
    state.cards[index].isFlipped = true
    if open.count == 1 {
        state.moves += 1
        let other = open[0]
        if state.cards[other].cover == state.cards[index].cover {
            state.cards[other].isMatched = true
            state.cards[index].isMatched = true
        }
    }
    return state
}
