// SPDX-License-Identifier: MIT

import Onward

/// A list, as the tests of rows use it.
struct Todo: Identifiable, Equatable, Sendable {
    let id: Int
    var isDone = false
}

struct TodoApp: Equatable, Sendable {
    var todos: EntityTable<Todo> = []
    var filter = 0
}

enum TodoAction: Action {
    case add(Int)
    case toggle(Int)
    case remove(Int)
    case move(Int, to: Int)
    case replace([Int])
    case clear
    case many([TodoAction])
    case filter(Int)

    func apply(to app: inout TodoApp) {
        switch self {
        case .add(let id): app.todos.append(Todo(id: id))
        case .toggle(let id): app.todos[id: id]?.isDone.toggle()
        case .remove(let id): app.todos.remove(id: id)
        case .move(let id, let place): app.todos.move(id: id, to: place)
        case .replace(let ids):
            app.todos = []
            for id in ids { app.todos.append(Todo(id: id)) }
        case .clear: app.todos.removeAll()
        case .many(let actions): for action in actions { action.apply(to: &app) }
        case .filter(let filter): app.filter = filter
        }
    }
}

func makeTodos(_ count: Int, options: StoreOptions = StoreOptions()) -> Store<TodoApp> {
    var app = TodoApp()
    for id in 0..<count { app.todos.append(Todo(id: id)) }
    return Store(app, options: options) {
        Reduce { (app: inout TodoApp, action: TodoAction) in action.apply(to: &app) }
    }
}
