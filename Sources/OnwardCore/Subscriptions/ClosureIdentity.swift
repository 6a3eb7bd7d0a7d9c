// SPDX-License-Identifier: MIT

/// Which closure it is: its code, and where what it captured lies.
///
/// Two closures for which both are the same do the same, as long as one of them is kept, so that nothing else can
/// come to lie there; a group keeps the one that made it. A literal without captures is the same closure each
/// time it is reached. What is not recognised, such as a closure that the compiler wraps, is told apart, which costs
/// a reading more.
@usableFromInline
package struct ClosureIdentity: Hashable, Sendable {
    private let code: UInt
    private let captures: UInt
    private let value: ObjectIdentifier

    /// Whether it captured nothing, so that it is the same each time it is reached.
    @usableFromInline
    var isLasting: Bool { captures == 0 }

    @usableFromInline
    init<State, Value>(_ closure: IdentifiedClosure<State, Value>) {
        (code, captures) = unsafeBitCast(closure, to: (UInt, UInt).self)
        value = ObjectIdentifier(Value.self)
    }
}

/// A closure as it was given: to pass it on by itself, as a value of any type, would wrap it in another one.
@usableFromInline
struct IdentifiedClosure<State, Value> {
    private let call: @Sendable (State) -> Value

    @usableFromInline
    init(call: @escaping @Sendable (State) -> Value) {
        self.call = call
    }
}
