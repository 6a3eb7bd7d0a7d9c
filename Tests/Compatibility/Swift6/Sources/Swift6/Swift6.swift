// SPDX-License-Identifier: MIT

import ReSwift

/// Neither the state nor the actions say that they are `Sendable`.
class Profile {
    var name = "Ada"
}

struct AppState {
    var count = 0
    var profile = Profile()
}

struct Increment: Action {}
enum CountAction: Action { case set(Int) }

func appReducer(action: Action, state: AppState?) -> AppState {
    var state = state ?? AppState()
    switch action {
    case is Increment: state.count += 1
    case CountAction.set(let count): state.count = count
    default: break
    }
    return state
}

/// Makes a middleware, as a constant of such a type cannot be global in this mode.
func makeDoubling() -> Middleware<AppState> {
    { _, _ in
        { next in
            { action in
                next(action)
                if action is Increment { next(action) }
            }
        }
    }
}

/// A global store: an error against the original, as that class is not `Sendable`.
let store = Store(reducer: appReducer, state: AppState(), middleware: [makeDoubling()])

/// A subclass has to restate that the class vouches for its own safety.
final class CountingStore: Store<AppState>, @unchecked Sendable {
    private(set) var dispatched = 0

    override func dispatch(_ action: Action) {
        dispatched += 1
        super.dispatch(action)
    }
}

/// A subscriber without isolation, however it was written.
final class Plain: StoreSubscriber {
    var counts: [Int] = []

    func newState(state: Int) {
        counts.append(state)
    }
}

/// A screen on the main actor, as view controllers are.
@MainActor
final class Screen: @MainActor StoreSubscriber {
    var text = ""

    func appear() {
        store.subscribe(self) { $0.select(\.count) }
    }

    func newState(state: Int) {
        text = "\(state)"
    }
}
