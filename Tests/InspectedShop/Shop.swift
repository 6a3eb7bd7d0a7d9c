// SPDX-License-Identifier: MIT

package import Onward

/// A shop, as the tests of the inspector look into it.
package struct Shop: Codable, Equatable, Sendable {
    package var cart = Cart()
    package var visits = 0

    package init() {}
}

package struct Cart: Codable, Equatable, Sendable {
    package var items: [Item] = []
    package var total = 0

    package init() {}
}

package struct Item: Codable, Equatable, Sendable, Identifiable {
    package var id: Int
    package var name: String

    package init(id: Int, name: String) {
        (self.id, self.name) = (id, name)
    }
}

package enum CartAction: Action, Codable, Equatable {
    case add(id: Int, name: String, price: Int)
    case remove(Int)
    case clear
}

/// An action that only this program knows.
package struct Visit: Action {
    package var page = "home"
    package var isFirst = true

    package init() {}
}

package func makeShop(_ shop: Shop = Shop()) -> Store<Shop> {
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
