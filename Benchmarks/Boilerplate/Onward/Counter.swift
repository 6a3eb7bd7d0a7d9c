// SPDX-License-Identifier: MIT

import Onward

struct Counter: Equatable, Sendable { var count = 0 }
enum CounterAction: Action { case increment, decrement }

let counter = Feature<Counter> {
    Reduce { (counter, action: CounterAction) in
        switch action {
        case .increment: counter.count += 1
        case .decrement: counter.count -= 1
        }
    }
}
