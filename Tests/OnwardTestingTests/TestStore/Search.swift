// SPDX-License-Identifier: MIT

import Onward

/// A search with a debounce, the example of the tests.
struct Search: Equatable, Sendable {
    var text = ""
    var books: [String] = []
    var isLoading = false
    var ids: [UniqueID] = []
    var seconds = 0
    var isOpen = false
}

enum SearchAction: Action, Equatable {
    case typed(String)
    case started
    case found([String])
    case failed
    case open(Bool)
    case tick
    case add
    case added(UniqueID)

    var isFound: Bool {
        if case .found = self { true } else { false }
    }
}

let search = Feature<Search> {
    Reduce { (search: inout Search, action: SearchAction) in
        switch action {
        case .typed(let text): search.text = text
        case .started: search.isLoading = true
        case .found(let books): (search.books, search.isLoading) = (books, false)
        case .failed: search.isLoading = false
        case .open(let isOpen): search.isOpen = isOpen
        case .tick: search.seconds += 1
        case .add: break
        case .added(let id): search.ids.append(id)
        }
    }
    OnAction { (action: SearchAction, context) -> Effect in
        switch action {
        case .typed(let text):
            .run(id: "search", .latest) {
                context.dispatch(SearchAction.started)
                try await context.clock.sleep(for: .seconds(1))
                context.dispatch(SearchAction.found([text]))
            }
            .debounce(for: .milliseconds(300))
        case .add: .run { context.dispatch(SearchAction.added(context.ids.next())) }
        default: .none
        }
    }
    While(\.isOpen, id: "clock") { _, context in
        for await _ in context.clock.ticks(every: .seconds(1)) {
            context.dispatch(SearchAction.tick)
        }
    }
}
