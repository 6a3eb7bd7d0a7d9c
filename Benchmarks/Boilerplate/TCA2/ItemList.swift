// SPDX-License-Identifier: MIT

import ComposableArchitecture2

struct Item: Equatable, Identifiable {
    let id: Int
    var title = ""
    var note = ""
    var isDone = false
    var history: [String] = []
}
@Feature struct ItemDetail {
    struct State { var item: Item }

    var load: @Sendable (Int) async throws -> [String]

    var body: some Feature {
        Update { _, _ in }
            .onMount { state in
                let id = state.item.id
                store.addTask {
                    let history = try await load(id)
                    try store.modify { $0.item.history = history }
                }
            }
    }
}
@Feature struct ItemList {
    struct State {
        var items: IdentifiedArrayOf<Item> = []
        var detail: ItemDetail.State?
    }
    enum Action { case add(Int), open(Int), delete(Int), save, detail(ItemDetail.Action) }

    var load: @Sendable (Int) async throws -> [String]

    var body: some Feature {
        Update { state, action in
            switch action {
            case .add(let id): state.items.append(Item(id: id))
            case .open(let id):
                state.detail = state.items[id: id].map { ItemDetail.State(item: $0) }
            case .delete(let id): state.items.remove(id: id)
            case .save: if let item = state.detail.take()?.item { state.items[id: item.id] = item }
            case .detail: break
            }
        }
        .ifLet(\.detail, action: \.detail) { ItemDetail(load: load) }
    }
}
