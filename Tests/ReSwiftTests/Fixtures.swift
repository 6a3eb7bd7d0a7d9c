// SPDX-License-Identifier: MIT

import ReSwift

/// A state as old apps have it: neither `Sendable` nor `Equatable`.
struct Bank {
    var balance = 0
    var owner = "Ada"
    var notes: [String]?
}

struct Deposit: Action { let amount: Int }
struct Rename: Action { let owner: String }
struct Note: Action { let text: String? }
struct Unknown: Action {}
enum Limit: Action { case to(Int), none }

func reduceBank(action: any Action, state: Bank?) -> Bank {
    var state = state ?? Bank()
    switch action {
    case let deposit as Deposit: state.balance += deposit.amount
    case let rename as Rename: state.owner = rename.owner
    case let note as Note: state.notes = note.text.map { [$0] }
    case Limit.to(let limit): state.balance = min(state.balance, limit)
    default: break
    }
    return state
}

func makeBank(
    balance: Int = 0, _ middleware: [Middleware<Bank>] = [], skips: Bool = true
) -> Store<Bank> {
    Store(
        reducer: reduceBank, state: Bank(balance: balance), middleware: middleware,
        automaticallySkipsRepeats: skips)
}

/// Writes down what it is notified of, and does something about it.
final class Listener<Value>: StoreSubscriber {
    private(set) var values: [Value] = []
    var react: (Value) -> Void

    init(of type: Value.Type = Value.self, _ react: @escaping (Value) -> Void = { _ in }) {
        self.react = react
    }

    func newState(state: Value) {
        values.append(state)
        react(state)
    }
}

/// A middleware that does something with each action before it passes it on.
func middleware<State>(_ body: @escaping (any Action) -> Void) -> Middleware<State> {
    { _, _ in
        { next in
            { action in
                body(action)
                next(action)
            }
        }
    }
}
