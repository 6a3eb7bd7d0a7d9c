// SPDX-License-Identifier: MIT
#if Server

import Hummingbird
import Mustache
import Onward
import OnwardServer

/// A thousand rows, each with a form.
struct TodoList: Equatable, Sendable {
    var todos: EntityTable<Todo>

    init(count: Int = 1_000) {
        todos = []
        for id in 0..<count { todos.append(Todo(id: id)) }
    }
}

struct Todo: Identifiable, Equatable, Sendable {
    let id: Int
    var title = "To do"
    var isDone = false
}

enum TodoAction: Action, Codable, Equatable {
    case toggle(id: Int)
    case rename(id: Int, title: String)
    case insert(id: Int, at: Int)
    case remove(id: Int)
    case move(id: Int, to: Int)
    case reverse
}

extension TodoList {
    static func store(count: Int = 1_000) -> Store<TodoList> {
        Store(TodoList(count: count)) {
            Reduce { (list: inout TodoList, action: TodoAction) in list.apply(action) }
        }
    }

    mutating func apply(_ action: TodoAction) {
        switch action {
        case .toggle(let id): todos[id: id]?.isDone.toggle()
        case .rename(let id, let title): todos[id: id]?.title = title
        case .insert(let id, let position): todos.insert(Todo(id: id), at: position)
        case .remove(let id): todos.remove(id: id)
        case .move(let id, let position): todos.move(id: id, to: position)
        case .reverse:
            let rows = todos.reversed()
            todos.removeAll()
            for row in rows { todos.append(row) }
        }
    }

    static let row = """
        <li {{> onward/row}} class="{{#isDone}}done{{/isDone}}">{{title}}
        <form method="post" data-action>
        <input type="hidden" name="request" value="{{request}}">
        <input type="hidden" name="type" value="TodoAction/toggle">
        <button name="id" value="{{id}}">Done</button></form></li>

        """

    static func page(row: String = row) throws -> Page<TodoList> {
        var library = MustacheLibrary()
        try library.register(row, named: "todo")
        return try Page(title: "To do", templates: library, accepts: [TodoAction.self]) { list in
            [Fragment("todos", template: "todo", rows: list.todos)]
        }
    }
}
#endif
