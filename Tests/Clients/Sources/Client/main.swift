// SPDX-License-Identifier: MIT

import Onward

enum Greeting: Action { case hello }

let store = Store(0) {
    Reduce { (greetings: inout Int, _: Greeting) in greetings += 1 }
}
store.dispatch(Greeting.hello)
print("greetings: \(store.state)")
