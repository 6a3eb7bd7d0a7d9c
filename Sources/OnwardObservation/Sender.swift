// SPDX-License-Identifier: MIT

public import OnwardCore

/// A function that makes the action for a new value, in a form that a key path can hold.
///
/// SwiftUI's `@Bindable` makes bindings from key paths, and the arguments of a subscript in a key
/// path must be hashable, which closures are not. Two senders are equal if one is a copy of the
/// other.
public struct Sender<Value: Sendable, SentAction: Action>: Sendable, Hashable {
    private let make: Make

    /// A closure with an identity.
    private final class Make: Sendable {
        let action: @Sendable (Value) -> SentAction

        init(_ action: @escaping @Sendable (Value) -> SentAction) { self.action = action }
    }

    /// Creates a sender of the action that a function makes: `.action { .rename($0) }`, or an enum
    /// case by name.
    public static func action(
        _ make: @escaping @Sendable (Value) -> SentAction
    ) -> Sender {
        Sender(make: Make(make))
    }

    /// Whether both are copies of one sender.
    public static func == (left: Sender, right: Sender) -> Bool { left.make === right.make }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(make)) }

    @usableFromInline
    func send<State>(_ value: Value, to store: Store<State>, file: String, line: Int) {
        store.dispatch(make.action(value), file: file, line: line, isolation: nil)
    }
}
