// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift
import ReSwiftRouter

struct AppReducer: Reducer { // difficulty: older-reducer
    func handleAction(action: Action, state: State?) -> State {
        return State(
            navigationState: NavigationReducer.handleAction(action, state: state?.navigationState),
            repositories: repositoriesReducer(action: action, state: state?.repositories),
            bookmarks: bookmarksReducer(state: state?.bookmarks, action: action),
            user: state?.user)
    }
}

func repositoriesReducer(action: Action, state: Response<[Repository]>?) -> Response<[Repository]>? {
    switch action {
    case let action as SetRepositories:
        UserDefaults.standard.set(Date(), forKey: "loaded") // difficulty: impure-reducer
        return action.response
    default:
        return state
    }
}

func bookmarksReducer(state: Bookmarks?, action: Action) -> Bookmarks {
    let state = state ?? Bookmarks()
    if let add = action as? AddBookmark {
        state.names.append(add.name)
        DispatchQueue.main.async { // difficulty: task-in-reducer
            NotificationCenter.default.post(name: .bookmarked, object: nil)
        }
    }
    return state
}
