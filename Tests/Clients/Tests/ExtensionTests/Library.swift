// SPDX-License-Identifier: MIT

import Onward

struct Book: Identifiable, Equatable, Sendable {
    let id: Int
    var isLent = false
}

struct Library: Sendable {
    var books: EntityTable<Book> = [Book(id: 1), Book(id: 2), Book(id: 3)]
    var lendings = 0
}

enum LibraryAction: Action, Equatable {
    case lend(Int)
    case returned(Int)
}

let lending = Feature<Library> {
    Reduce { (library: inout Library, action: LibraryAction) in
        switch action {
        case .lend(let id): library.books[id: id]?.isLent = true
        case .returned(let id): library.books[id: id]?.isLent = false
        }
    }
}

func makeLibrary() -> Store<Library> { Store(Library()) { lending } }
