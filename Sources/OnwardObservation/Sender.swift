// SPDX-License-Identifier: MIT

public import OnwardCore

/// Makes the action for a new value, as something that a key path can hold.
///
/// SwiftUI's `@Bindable` makes bindings of key paths, and the arguments of a subscript in a key path
/// must be hashable, which closures are not. Two senders are equal when one is a copy of the other.
public struct Sender<Value: Sendable>: Sendable, Hashable {
    private let make: Make

    /// A closure with an identity.
    private final class Make: Sendable {
        let action: @Sendable (Value) -> any Action

        init(_ action: @escaping @Sendable (Value) -> any Action) { self.action = action }
    }

    /// Sends the action that a function makes, such as a case of an enum by its name.
    public static func action<A: Action>(_ make: @escaping @Sendable (Value) -> A) -> Sender {
        Sender(make: Make(make))
    }

    /// Whether both are copies of one sender.
    public static func == (left: Sender, right: Sender) -> Bool { left.make === right.make }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(make)) }

    @usableFromInline
    func send<State>(_ value: Value, to store: Store<State>, file: String, line: Int) {
        func open(_ action: some Action) {
            store.dispatch(action, file: file, line: line, isolation: nil)
        }
        open(make.action(value))
    }
}
