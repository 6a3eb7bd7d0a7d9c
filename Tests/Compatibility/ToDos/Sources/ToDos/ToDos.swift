// SPDX-License-Identifier: MIT

import ReduxSwift

struct AppState {
    struct ToDo {
        let text: String
        var done: Bool
    }

    var todos: [ToDo] = []
    var isLoading = false
}

struct ADD_TODO: ActionType {
    let text: String
}

struct DO_TODO: ActionType {
    let index: Int
}

struct CLEAR_DONE: ActionType {}

struct LOADING: ActionType {
    let isLoading: Bool
}

func reducer(action: ActionType, state: AppState?) -> AppState {
    var state = state ?? AppState.init()

    switch action {
    case let action as ADD_TODO:
        state.todos.append(AppState.ToDo(text: action.text, done: false))
    case let action as DO_TODO:
        state.todos[action.index].done = true
    case _ as CLEAR_DONE:
        state.todos = state.todos.filter { !$0.done }
    case let action as LOADING:
        state.isLoading = action.isLoading
    default: break
    }

    return state
}

/// Loads todos from somewhere that answers later.
func load(from source: @escaping (@escaping ([String]) -> Void) -> Void) -> THUNK<AppState> {
    return THUNK<AppState> { store in
        _ = store.dispatch(LOADING(isLoading: true))
        source { texts in
            for text in texts { _ = store.dispatch(ADD_TODO(text: text)) }
            _ = store.dispatch(LOADING(isLoading: false))
        }
    }
}

/// Refuses todos without text.
func refusing(store: Store<AppState>, yield: @escaping Dispatcher) -> Dispatcher {
    return { action in
        if let action = action as? ADD_TODO, action.text.isEmpty { return action }
        return yield(action)
    }
}

extension Middlewares {
    /// Counts actions.
    static func counting(_ count: @escaping () -> Void) -> Store<State>.MiddleWare {
        return { _, yield in
            { action in
                count()
                return yield(action)
            }
        }
    }
}

/// A store that can be reset.
class ResettableStore: Store<AppState>, @unchecked Sendable {
    var first: AppState?

    override init(
        reducer: @escaping Reducer, state: AppState?, middlewares: [MiddleWare]
    ) {
        super.init(reducer: reducer, state: state, middlewares: middlewares)
        first = self.state
    }

    func reset() {
        if let first = first { state = first }
    }
}

let subscriptions = Subscriptions<AppState, String>.init()

let store = Store<AppState>.init(
    reducer: reducer, state: nil,
    middlewares: [subscriptions.middleware, refusing, Middlewares<AppState>.thunk])
