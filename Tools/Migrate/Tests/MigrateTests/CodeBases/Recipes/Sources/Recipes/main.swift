// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import Dispatch
import ReduxSwift

let kitchen = DispatchQueue(label: "kitchen")

subs.subscribe(key: 1) { book in
    print(book.recipes.map { $0.name })
    tidy(book) // difficulty: dispatch-in-new-state
}

func tidy(_ book: Book) {
    guard book.recipes.count > 10 else { return }
    _ = store.dispatch(BookAction.filter(""))
}

kitchen.sync {
    _ = store.dispatch(BookAction.load) // difficulty: locked-dispatch
}

DispatchQueue.concurrentPerform(iterations: 4) { index in
    _ = store.dispatch(BookAction.add(Recipe(name: "\(index)"))) // difficulty: background-dispatch
}

_ = store.dispatch(BookAction.add(Recipe(name: "kitchen.sync { store.dispatch(x) }")))
