// SPDX-License-Identifier: MIT

/// A subscriber of what a closure of its own derives from the state.
///
/// It keeps what it was delivered last itself: most such values are a word, and a group, a getter and a copy for
/// each would take three times what the subscriber takes. Closure and value belong to the maker until it
/// joins its group, then to the deliverer while the group is delivered, else to the store's lock. Access that is
/// exclusive for that reason is not checked: it would be at each closure with each commit.
@usableFromInline
package class DerivedSubscriber: Subscriber, @unchecked Sendable {  // As said above.
    /// What the values are.
    func valueType() -> ValueType { preconditionFailure("A value without a type.") }

    /// Derives the first value.
    func start(in state: UnsafeRawPointer) {}

    /// Derives the value into memory that holds none; false once the closure is gone.
    func derive(in state: UnsafeRawPointer, into target: UnsafeMutableRawPointer) -> Bool { false }

    /// What derives a value, for a first call that another thread's delivery may overlap.
    func copyDerivation() -> (@Sendable (UnsafeRawPointer) -> ValueCopy)? { nil }

    /// Calls `body` with the value that it was delivered last, where it lies.
    func withLast(_ body: (UnsafeMutableRawPointer) -> Void) {}

    /// Gives closure and value away.
    func takeDerivation(_ locked: borrowing Locked) -> [Any?] { [] }
}

/// A derived subscriber that knows the types.
@usableFromInline
package final class TypedDerivedSubscriber<State, Value>: DerivedSubscriber, @unchecked Sendable {
    @exclusivity(unchecked) private var derivation: BorrowedDerivation<State, Value>?
    @exclusivity(unchecked) private var body: BorrowedBody<Value>?
    @exclusivity(unchecked) private var last: Value?

    @usableFromInline
    package init(_ select: IdentifiedClosure<State, Value>, _ body: SelectionBody<Value>) {
        derivation = BorrowedDerivation(select)
        self.body = BorrowedBody(body.call)
        super.init()
    }

    override func valueType() -> ValueType { TypedValue<Value>() }

    override func start(in state: UnsafeRawPointer) {
        switch derivation {
        case .some(let derivation): last = derivation.value(in: state)
        case .none: break
        }
    }

    override func derive(
        in state: UnsafeRawPointer, into target: UnsafeMutableRawPointer
    ) -> Bool {
        switch derivation {
        case .some(let derivation):
            target.assumingMemoryBound(to: Value.self).initialize(to: derivation.value(in: state))
            return true
        case .none: return false
        }
    }

    override func copyDerivation() -> (@Sendable (UnsafeRawPointer) -> ValueCopy)? {
        switch derivation {
        case .some(let derivation):
            let (derive, type) = (derivation.copied(), TypedValue<Value>())
            return { state in
                let value = derive(state.assumingMemoryBound(to: State.self).pointee)
                return withUnsafePointer(to: value) { ValueCopy(of: $0, type) }
            }
        case .none: return nil
        }
    }

    override func withLast(_ body: (UnsafeMutableRawPointer) -> Void) {
        // An optional begins with what it holds. `withUnsafePointer(to:)` would ask for the type of the optional,
        // which takes 330 instructions for each closure with each commit.
        func pass(_ last: UnsafeMutablePointer<Value?>) { body(UnsafeMutableRawPointer(last)) }
        pass(&last)
    }

    override func takeDerivation(_ locked: borrowing Locked) -> [Any?] {
        [derivation.take()?.taken(), last.take()]
    }

    @usableFromInline
    override func notify(_ old: UnsafeRawPointer, _ new: UnsafeRawPointer) {
        switch body {
        case .some(let body): body(old, new)
        case .none: break
        }
    }

    @usableFromInline
    override func release() {
        body = nil
        super.release()
    }
}
