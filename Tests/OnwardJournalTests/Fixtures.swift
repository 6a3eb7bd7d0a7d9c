// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal

/// An app with two instances of a feature, as the tests of this folder use it.
struct Shop: Codable, Equatable, Sendable {
    var left = Basket()
    var right = Basket()
}

struct Basket: Codable, Equatable, Sendable {
    var items: [String] = []
    var total = 0
}

enum BasketAction: Action, Codable, Equatable {
    case add(name: String, price: Int)
    case discount(Int)
    case clear
}

struct Note: Action, Codable, Equatable {
    var text = ""
}

enum Mood: String, Action, Codable { case good, bad }

let basket = Feature<Basket> {
    Reduce { (basket: inout Basket, action: BasketAction) in
        switch action {
        case .add(let name, let price):
            basket.items.append(name)
            basket.total += price
        case .discount(let percent): basket.total -= basket.total * percent / 100
        case .clear: basket = Basket()
        }
    }
}

func makeShop(_ shop: Shop = Shop()) -> Store<Shop> { makeShop(shop, with: StoreOptions()) }

func makeShop(_ shop: Shop = Shop(), with options: StoreOptions) -> Store<Shop> {
    Store(shop, options: options) {
        Scope(\.left, basket)
        Scope(\.right, basket)
        Reduce { (shop: inout Shop, note: Note) in shop.left.items.append(note.text) }
        Reduce { (shop: inout Shop, mood: Mood) in shop.right.items.append(mood.rawValue) }
    }
}

func add(_ name: String, _ price: Int = 1) -> BasketAction { .add(name: name, price: price) }
