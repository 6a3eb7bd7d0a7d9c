// SPDX-License-Identifier: MIT

/// A copy of a state whose type its holder need not know.
///
/// The invariant behind `@unchecked` is that of ``BridgedState``: the copy is only read.
@usableFromInline
package class KeptState: @unchecked Sendable {
    @usableFromInline
    init() {}

    /// A copy of the state at a pointer.
    @usableFromInline
    package required init(copying pointer: UnsafeRawPointer) {}

    /// Lends the place of the copy.
    func withPointer(_ body: (UnsafeRawPointer) -> Void) {}
}

/// A copy of a state of one type.
@usableFromInline
package final class Kept<State>: KeptState, @unchecked Sendable {
    @usableFromInline let state: State

    @usableFromInline
    package required init(copying pointer: UnsafeRawPointer) {
        state = pointer.assumingMemoryBound(to: State.self).pointee
        super.init()
    }

    /// Keeps a state.
    @inlinable
    init(_ state: State) {
        self.state = state
        super.init()
    }

    override func withPointer(_ body: (UnsafeRawPointer) -> Void) {
        withUnsafePointer(to: state) { body($0) }
    }
}
