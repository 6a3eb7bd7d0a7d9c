// SPDX-License-Identifier: MIT

import Onward

/// The state that the tests of selectors use.
struct Shop: Equatable, Sendable {
    var prices = [3, 1, 2]
    var limit = 2
    var name = "Corner"
    var visits = 0
    var left = Counter()
    var right = Counter()
    var rows: [Row] = []
}

enum ShopAction: Action {
    case prices([Int])
    case limit(Int)
    case name(String)
    case visit
}

struct NameAction: Action { let name: String }
struct VisitAction: Action {}
struct LimitAction: Action { let limit: Int }

func makeShop(_ shop: Shop = Shop(), options: StoreOptions = StoreOptions()) -> Store<Shop> {
    Store(shop, options: options) {
        Reduce { (shop: inout Shop, action: ShopAction) in
            switch action {
            case .prices(let prices): shop.prices = prices
            case .limit(let limit): shop.limit = limit
            case .name(let name): shop.name = name
            case .visit: shop.visits += 1
            }
        }
        Scope(
            \.name,
            Feature<String> { Reduce { (name: inout String, a: NameAction) in name = a.name } })
        Scope(
            \.visits, Feature<Int> { Reduce { (visits: inout Int, _: VisitAction) in visits += 1 } }
        )
        Scope(
            \.limit,
            Feature<Int> { Reduce { (limit: inout Int, a: LimitAction) in limit = a.limit } })
        Scope(\.left, counter)
        Scope(\.right, counter)
        Scope(each: \.rows, row)
    }
}
