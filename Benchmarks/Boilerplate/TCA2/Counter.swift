// SPDX-License-Identifier: MIT

import ComposableArchitecture2

@Feature struct Counter {
    struct State { var count = 0 }
    enum Action { case increment, decrement }

    var body: some Feature {
        Update { state, action in
            switch action {
            case .increment: state.count += 1
            case .decrement: state.count -= 1
            }
        }
    }
}
