// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift

protocol CartView: AnyObject { func show(_ total: Double) }

class BasePresenter: StoreSubscriber {
    weak var view: CartView?

    func start() { shop.subscribe(self) { $0.select { $0.total }.skip(when: { abs($0 - $1) < 0.01 }) } }

    func newState(state: Double) {
        view?.show(state)
        totalChanged(state) // difficulty: dispatch-in-new-state
    }

    func totalChanged(_ total: Double) {
        if total > 1_000 { limit() }
    }
}

extension BasePresenter {
    func limit() { shop.dispatch(CartAction.clear) }
}
