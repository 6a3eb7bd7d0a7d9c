// SPDX-License-Identifier: MIT

import Onward

struct Item: Equatable, Identifiable, Editable {
    let id: Int
    var title = ""
    var note = ""
    var isDone = false
    var history: [String] = []
    static let fields = Fields<Item>(\.title, \.note, \.isDone)
}
struct ItemList: Equatable, Sendable {
    var items: EntityTable<Item> = []
    var detail: Item?
}
enum ItemListAction: Action { case add(Int), open(Int), delete(Int), save }
struct Loaded: Action, Equatable { var history: [String] }

func itemList(_ load: @escaping @Sendable (Int) async throws -> [String]) -> Feature<ItemList> {
    Feature {
        Reduce { (list, action: ItemListAction) in
            switch action {
            case .add(let id): list.items.append(Item(id: id))
            case .open(let id): list.detail = list.items[id: id]
            case .delete(let id): list.items.remove(id: id)
            case .save: if let item = list.detail.take() { list.items[id: item.id] = item }
            }
        }
        Scope(each: \.items) { Edits() }
        Present(\.detail) {
            Edits()
            Reduce { (item, loaded: Loaded) in item.history = loaded.history }
            While.present { context in
                context.dispatch(Loaded(history: try await load(context.current.id)))
            }
        }
    }
}
