// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftThunk

struct ChangeCategoryAction: Action {
    let index: Int
}

struct FetchingCoversAction: Action {}

struct SetCardsAction: Action {
    let covers: [String]
}

struct FetchingFailedAction: Action {
    let reason: String
}

struct FlipCardAction: Action {
    let index: Int
}

/// The outside world, which answers later.
var fetchCovers: (Category, @escaping ([String]?) -> Void) -> Void = { _, answer in answer(nil) }

/// An action creator: shows that something is under way, and lets the answer be dispatched later.
func fetchCards(state: AppState, store: Store<AppState>) -> Action? {
    fetchCovers(state.categoriesState.current) { covers in
        DispatchLater.run {
            if let covers = covers {
                store.dispatch(SetCardsAction(covers: covers))
            } else {
                store.dispatch(FetchingFailedAction(reason: "no covers"))
            }
        }
    }
    return FetchingCoversAction()
}

/// An asynchronous action creator: hands action creators to its callback when it has an answer.
func refetchCards(
    state: AppState, store: Store<AppState>,
    actionCreatorCallback: @escaping ((Store<AppState>.ActionCreator) -> Void)
) {
    fetchCovers(state.categoriesState.current) { covers in
        actionCreatorCallback { _, _ in covers.map { SetCardsAction(covers: $0) } }
    }
}

/// A thunk: chooses another category and starts a game of it.
func play(_ index: Int) -> Thunk<AppState> {
    return Thunk<AppState> { dispatch, getState in
        dispatch(ChangeCategoryAction(index: index))
        guard let category = getState()?.categoriesState.current else { return }
        dispatch(FetchingCoversAction())
        fetchCovers(category) { covers in
            dispatch(SetCardsAction(covers: covers ?? []))
        }
    }
}

/// What an app would do on its main queue.
enum DispatchLater {
    static var run: (@escaping () -> Void) -> Void = { $0() }
}
