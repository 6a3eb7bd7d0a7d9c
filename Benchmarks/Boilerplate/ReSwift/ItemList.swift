// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftThunk

struct Item: Equatable, Identifiable {
    let id: Int
    var title = ""
    var note = ""
    var isDone = false
    var history: [String] = []
}
struct ItemList: Equatable {
    var items: [Item] = []
    var detail: Item?
}
enum ItemListAction: Action {
    case add(Int), open(Int), delete(Int), save, close
    case done(Int, Bool), title(String), note(String), loaded(Int, [String])
}

func itemList(action: Action, state: ItemList?) -> ItemList {
    var state = state ?? ItemList()
    func index(_ id: Int) -> Int? { state.items.firstIndex { $0.id == id } }
    switch action as? ItemListAction {
    case .add(let id): state.items.append(Item(id: id))
    case .open(let id): state.detail = index(id).map { state.items[$0] }
    case .delete(let id): state.items.removeAll { $0.id == id }
    case .save:
        if let item = state.detail.take(), let index = index(item.id) { state.items[index] = item }
    case .close: state.detail = nil
    case .done(let id, let isDone): if let index = index(id) { state.items[index].isDone = isDone }
    case .title(let title): state.detail?.title = title
    case .note(let note): state.detail?.note = note
    case .loaded(let id, let history): if state.detail?.id == id { state.detail?.history = history }
    case nil: break
    }
    return state
}

func open(_ id: Int, _ load: @escaping (Int) async throws -> [String]) -> Thunk<ItemList> {
    Thunk { dispatch, _ in
        dispatch(ItemListAction.open(id))
        Task { @MainActor in dispatch(ItemListAction.loaded(id, try await load(id))) }
    }
}
