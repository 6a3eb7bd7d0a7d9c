// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import ReSwift

class PriceLoader {
    let operations = OperationQueue()

    func load() {
        DispatchQueue.global(qos: .utility).async {
            let price = 3.0
            shop.dispatch(CartAction.add(Item(price: price))) // difficulty: background-dispatch
        }
        operations.addOperation {
            shop.dispatch(CartAction.clear) // difficulty: background-dispatch
        }
        DispatchQueue.global().async {
            DispatchQueue.main.async { shop.dispatch(CartAction.clear) }
        }
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
            shop.dispatch(CartAction.checkout)
        }
        OperationQueue.main.addOperation { shop.dispatch(CartAction.clear) }
    }
}

protocol EventBus { func dispatch(_ event: String) }
struct ConsoleBus: EventBus {
    let queue = DispatchQueue(label: "bus")
    func dispatch(_ event: String) { print(event) }
}
let bus = ConsoleBus()
func shout() {
    DispatchQueue.global().async { bus.dispatch("loud") }
    bus.queue.sync { bus.dispatch("in turn") }
}
