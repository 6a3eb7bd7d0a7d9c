// SPDX-License-Identifier: MIT

import ComposableArchitecture

@Reducer struct Item {
    @ObservableState struct State: Equatable, Identifiable {
        let id: Int
        var title = ""
        var note = ""
        var isDone = false
        var history: [String] = []
    }
    enum Action: BindableAction { case binding(BindingAction<State>), task, loaded([String]) }

    var load: @Sendable (Int) async throws -> [String]

    var body: some ReducerOf<Self> {
        BindingReducer()
        Reduce { state, action in
            switch action {
            case .binding: break
            case .task: return .run { [id = state.id] in try await $0(.loaded(load(id))) }
            case .loaded(let history): state.history = history
            }
            return .none
        }
    }
}
@Reducer struct ItemList {
    @ObservableState struct State: Equatable {
        var items: IdentifiedArrayOf<Item.State> = []
        @Presents var detail: Item.State?
    }
    enum Action {
        case add(Int), open(Int), delete(Int), save
        case items(IdentifiedActionOf<Item>), detail(PresentationAction<Item.Action>)
    }

    var load: @Sendable (Int) async throws -> [String]

    var body: some ReducerOf<Self> {
        Reduce { state, action in
            switch action {
            case .add(let id): state.items.append(Item.State(id: id))
            case .open(let id): state.detail = state.items[id: id]
            case .delete(let id): state.items.remove(id: id)
            case .save: if let item = state.detail.take() { state.items[id: item.id] = item }
            case .items, .detail: break
            }
            return .none
        }
        .forEach(\.items, action: \.items) { Item(load: load) }
        .ifLet(\.$detail, action: \.detail) { Item(load: load) }
    }
}
