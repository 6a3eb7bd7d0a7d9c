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

    /// Says what is wanted now, and again if it is something else by then.
    ///
    /// Of several that say it at once, one may have read the state before another and speak after it: it is the one
    /// that notices.
    func say(_ context: EffectContext<State>, _ say: (Value) -> Void) {
        var value: Value
        repeat {
            value = read(context.current)
            say(value)
        } while read(context.current) != value
    }
}
