// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation

// An online shop has a store, too: this one sells things.
final class Shelf {
    var state = "open"
    func dispatch(_ parcel: Parcel) { DispatchQueue.global().async { print(parcel) } }
}
struct Parcel { var weight = 1.0 }

final class Warehouse {
    let shelf = Shelf()
    private let lock = NSLock()

    func newState(state: String) {
        shelf.state = state
        shelf.dispatch(Parcel())
    }

    func send() {
        lock.lock()
        shelf.dispatch(Parcel(weight: Double.random(in: 1...2)))
        lock.unlock()
    }
}

// Reduces nothing but its input.
func reduce(state: [Int], by amount: Int) -> [Int] { state.map { $0 - amount } }
