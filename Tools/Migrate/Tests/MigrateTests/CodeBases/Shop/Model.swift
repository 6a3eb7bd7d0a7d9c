// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift

struct ShopState: StateType {
    var cart: [Item] = []
    var total = 0.0
    var session: Session?
}
struct Item: Equatable { var price: Double }

class Session { // difficulty: shared-state
    var token = ""
}

enum CartAction: Action { case add(Item), clear, checkout }

struct Cart {
    static func reduce(state: inout ShopState, action: CartAction) {
        switch action {
        case .add(let item): state.cart.append(item)
        case .clear: state.cart = []
        case .checkout:
            OrderService().send(state.cart) // difficulty: dispatch-in-reducer
        }
        state.total = state.cart.reduce(0) { $0 + $1.price * Double.random(in: 0.9...1.1) } // difficulty: impure-reducer
    }
}

class OrderService {
    func send(_ items: [Item]) {
        shop.dispatch(CartAction.clear)
    }
}

func shopReducer(_ action: Action, _ state: ShopState?) -> ShopState {
    var state = state ?? ShopState()
    if let action = action as? CartAction { Cart.reduce(state: &state, action: action) }
    return state
}

var shop = Store(reducer: shopReducer, state: ShopState())
