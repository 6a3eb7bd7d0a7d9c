// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift
import ReSwiftThunk

func fetch(_ url: URL) -> ThunkAction<Library> { // difficulty: older-thunk
    let thunk = Thunk<Library> { dispatch, _ in dispatch(Shelve(book: Book(title: url.path, pages: 1))) }
    return ThunkAction(action: thunk.body) // difficulty: older-thunk
}

// What this is handed has an optional of its own.
func retry(dispatch: DispatchFunction?) { dispatch?(Shelve(book: Book(title: "", pages: 0))) }

func recorder(dispatch: DispatchFunction?, getState: GetState) {} // difficulty: older-middleware
