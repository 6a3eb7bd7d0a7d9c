// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift

struct Library: StateType {
    var books: [Book] = []
    var opened: URL? // difficulty: missing-import
}

struct Book: Equatable { let title: String, pages: Int }

struct Shelve: Action { let book: Book }

func libraryReducer(action: Action, state: Library?) -> Library {
    var state = state ?? Library()
    if let shelve = action as? Shelve { state.books.append(shelve.book) }
    return state
}

let store = Store<Library>(reducer: libraryReducer, state: nil)
