// SPDX-License-Identifier: MIT

/// A registered ``Reduce`` of a parent for its child's actions, without its types.
class ChildReducer: @unchecked Sendable {  // Immutable, here and in its one subclass.
    /// The parent.
    final let lens: SliceLens
    /// The child whose actions it handles.
    final let child: SliceLens

    init(of child: SliceLens, at lens: SliceLens) {
        self.child = child
        self.lens = lens
    }

    /// Handles an action that was meant for one instance of the child; false when the parent is gone.
    func reduce(
        _ root: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, of instance: Address
    ) -> Bool {
        lens.reach(in: root, instance) { run($0, action, instance) }
    }

    func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ instance: Address
    ) {
        preconditionFailure("A child's reducer without a body.")
    }
}

/// The reducer of one action type.
final class TypedChildReducer<Slice, A: Action>: ChildReducer, @unchecked Sendable {  // Immutable.
    private let body: @Sendable (inout Slice, A, Address) -> Void

    init(
        of child: SliceLens, at lens: SliceLens,
        body: @escaping @Sendable (inout Slice, A, Address) -> Void
    ) {
        self.body = body
        super.init(of: child, at: lens)
    }

    override func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ instance: Address
    ) {
        body(
            &slice.assumingMemoryBound(to: Slice.self).pointee,
            action.assumingMemoryBound(to: A.self).pointee, instance)
    }
}
