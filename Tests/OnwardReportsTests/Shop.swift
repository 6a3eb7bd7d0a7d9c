// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardReports

/// A state with everything that redaction has to look at.
struct Shop: Codable, Sendable, Equatable {
    enum Size: String, Codable, Sendable { case small, large }

    struct Item: Codable, Sendable, Equatable, Identifiable {
        let id: String
        var title: String
        var size = Size.small
        var count = 0
    }

    var items: EntityTable<Item> = []
    var notes: [String: String] = [:]
    var scores: [Int: Int] = [:]
    var photo: [UInt8] = []
    var error: String?
    @Redacted var pin = 0
    var total = 0
    var selected: String?
}

enum ShopAction: Action, Codable, Equatable {
    case add(id: String, title: String, size: Shop.Size)
    case note(String, on: String)
    case score(Int, Int)
    case photo([UInt8])
    case failed(String)
    case pin(Redacted<Int>)
    case select(String)
    /// Handled where the item is there.
    case remove(String)
}

enum ItemAction: Action, Codable, Equatable { case count(Int) }

let item = Feature<Shop.Item> {
    Reduce { (item: inout Shop.Item, action: ItemAction) in
        switch action {
        case .count(let count): item.count += count
        }
    }
}

let shop = Feature<Shop> {
    Reduce { (shop: inout Shop, action: ShopAction) in
        switch action {
        case .add(let id, let title, let size):
            shop.items[id: id] = Shop.Item(id: id, title: title, size: size)
            shop.total += size == .large ? 2 : 1
        case .note(let text, let id): shop.notes[id] = text
        case .score(let key, let value): shop.scores[key] = value
        case .photo(let bytes): shop.photo = bytes
        case .failed(let error): shop.error = error
        case .pin(let pin): shop.pin = pin.wrappedValue
        case .select(let id): shop.selected = shop.items[id: id] == nil ? nil : id
        case .remove(let id): shop.items.remove(id: id)
        }
    }
    Scope(each: \.items, item)
}
