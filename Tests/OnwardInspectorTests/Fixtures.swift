// SPDX-License-Identifier: MIT
#if Inspector

import Onward
import OnwardInspector
import OnwardJournal

/// A shop, as the tests of this folder inspect it.
struct Shop: Codable, Equatable, Sendable {
    var cart = Cart()
    var visits = 0
}

struct Cart: Codable, Equatable, Sendable {
    var items: [Item] = []
    var total = 0
}

struct Item: Codable, Equatable, Sendable, Identifiable {
    var id: Int
    var name: String
}

enum CartAction: Action, Codable, Equatable {
    case add(id: Int, name: String, price: Int)
    case remove(Int)
    case clear
}

/// An action that only this program knows.
struct Visit: Action {
    var page = "home"
    var isFirst = true
}

func makeShop(_ shop: Shop = Shop()) -> Store<Shop> {
    Store(shop) {
        Reduce { (shop: inout Shop, action: CartAction) in
            switch action {
            case .add(let id, let name, let price):
                shop.cart.items.append(Item(id: id, name: name))
                shop.cart.total += price
            case .remove(let id): shop.cart.items.removeAll { $0.id == id }
            case .clear: shop.cart = Cart()
            }
        }
        Reduce { (shop: inout Shop, _: Visit) in shop.visits += 1 }
    }
}

extension History where State == Shop {
    /// The log, to be asked.
    func inspected(_ store: Store<Shop>) -> InspectedHistory<Shop> {
        InspectedHistory(log, ActionCodec(for: store.log.actions))
    }
}
#endif
