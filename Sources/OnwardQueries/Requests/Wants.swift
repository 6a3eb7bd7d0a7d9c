// SPDX-License-Identifier: MIT

internal import Onward

/// What the state wants of a server, and how a change of that is noticed.
struct Wants<State: Sendable, Value: Equatable & Sendable>: Sendable {
    let selection: Selection<State, Value>
    private let read: @Sendable (State) -> Value

    /// A closure, which runs after every commit.
    init(_ want: @escaping @Sendable (State) -> Value) {
        selection = .selecting(want)
        read = want
    }

    /// A property; commits of anything else cost nothing if it is stored.
    init(_ path: any KeyPath<State, Value> & Sendable) {
        selection = .path(path)
        read = { $0[keyPath: path] }
    }

    /// Says what is wanted when a store begins.
    func begin(_ context: EffectContext<State>, saying say: (Value) -> Void) {
        // A change that comes between may be said before: then it is said again.
        var value: Value
        repeat {
            value = read(context.current)
            say(value)
        } while read(context.current) != value
    }
}
