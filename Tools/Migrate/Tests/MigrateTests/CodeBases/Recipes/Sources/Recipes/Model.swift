// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReduxSwift

struct Book { var recipes: [Recipe]; var filter: Filter }
struct Recipe { var name: String }
final class Filter { var text = "" } // difficulty: shared-state

enum BookAction: ActionType { case add(Recipe), filter(String), load }

func reduce(action: ActionType, state: Book?) -> Book {
    var book = state ?? Book(recipes: [], filter: Filter())
    guard let action = action as? BookAction else { return book }
    switch action {
    case .add(let recipe):
        book.recipes.append(recipe)
        try? FileManager.default.removeItem(atPath: "/tmp/recipes") // difficulty: impure-reducer
    case .filter(let text):
        book.filter.text = text
    case .load:
        _ = store.dispatch(BookAction.add(Recipe(name: "soup"))) // difficulty: dispatch-in-reducer
    }
    return book
}

let subs = Subscriptions<Book, Int>()
let store = Store(reducer: reduce, state: nil, middlewares: [Middlewares.thunk, subs.middleware]) // difficulty: subscriptions-place
