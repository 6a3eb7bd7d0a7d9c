// SPDX-License-Identifier: MIT

import Observation

struct Item: Equatable, Identifiable {
    let id: Int
    var title = ""
    var note = ""
    var isDone = false
    var history: [String] = []
}
@MainActor @Observable final class ItemList {
    var items: [Item] = []
    var detail: Item?
    private let load: (Int) async throws -> [String]

    init(load: @escaping (Int) async throws -> [String]) { self.load = load }

    func add(_ id: Int) { items.append(Item(id: id)) }
    func delete(_ id: Int) { items.removeAll { $0.id == id } }
    func open(_ id: Int) async throws {
        detail = items.first { $0.id == id }
        let history = try await load(id)
        if detail?.id == id { detail?.history = history }
    }
    func save() {
        if let item = detail.take(), let index = items.firstIndex(where: { $0.id == item.id }) {
            items[index] = item
        }
    }
}
