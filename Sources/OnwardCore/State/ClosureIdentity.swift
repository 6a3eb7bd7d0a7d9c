// SPDX-License-Identifier: MIT

/// The identity of a closure that captured nothing, such as a literal, each time its place is reached.
///
/// A closure that captured something differs from all others. The address of its captures would identify it
/// too, but compilers usually wrap it anew wherever it is passed on, and a key takes as much memory as the
/// subscriber.
@usableFromInline
package struct ClosureIdentity: Hashable, Sendable {
    private let code: UInt
    private let value: ObjectIdentifier

    @usableFromInline
    init?<State, Value>(_ closure: IdentifiedClosure<State, Value>) {
        let (code, captures) = unsafeBitCast(closure, to: (code: UInt, captures: UInt).self)
        guard captures == 0 else { return nil }
        self.code = code
        value = ObjectIdentifier(Value.self)
    }
}

/// A closure as it was given: to pass it on by itself, as a value of any type, would wrap it in another one.
@usableFromInline
package struct IdentifiedClosure<State, Value>: Sendable {
    let call: @Sendable (State) -> Value

    @usableFromInline
    package init(call: @escaping @Sendable (State) -> Value) {
        self.call = call
    }
}
