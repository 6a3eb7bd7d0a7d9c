// SPDX-License-Identifier: MIT

/// A registered reducer without its types.
///
/// `run` gets pointers to an initialised slice and an initialised action of the types that the
/// subclass was made with: the route is found by the action's type, the lens leads to the slice.
class Handler: @unchecked Sendable {  // Immutable, here and in its subclasses.
    let lens: SliceLens
    /// Where the slice starts in the root state when that is a constant, else -1.
    final let offset: Int
    /// The position among all parts of the store.
    final let order: Int

    init(lens: SliceLens, order: Int) {
        self.lens = lens
        self.order = order
        offset = lens.finder == nil ? lens.range.lowerBound : -1
    }

    /// The type of the slice.
    var slice: any Any.Type { Never.self }

    func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ type: any Action.Type
    ) {
        preconditionFailure("A handler without a body.")
    }
}

/// The reducer of one action type.
final class TypedHandler<Slice, A: Action>: Handler, @unchecked Sendable {  // Immutable.
    private let body: @Sendable (inout Slice, A) -> Void

    override var slice: any Any.Type { Slice.self }

    init(lens: SliceLens, order: Int, body: @escaping @Sendable (inout Slice, A) -> Void) {
        self.body = body
        super.init(lens: lens, order: order)
    }

    override func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ type: any Action.Type
    ) {
        body(
            &slice.assumingMemoryBound(to: Slice.self).pointee,
            action.assumingMemoryBound(to: A.self).pointee)
    }
}

/// The reducer of every action type.
final class AnyHandler<Slice>: Handler, @unchecked Sendable {  // Immutable.
    private let body: @Sendable (inout Slice, any Action) -> Void

    init(
        lens: SliceLens, order: Int, body: @escaping @Sendable (inout Slice, any Action) -> Void
    ) {
        self.body = body
        super.init(lens: lens, order: order)
    }

    override func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ type: any Action.Type
    ) {
        body(&slice.assumingMemoryBound(to: Slice.self).pointee, box(action, as: type))
    }
}

/// The action behind a pointer as a value.
///
/// - Precondition: `pointer` points to an initialised value of `type`.
/// - Complexity: O(1), allocates.
package func box(_ pointer: UnsafeRawPointer, as type: any Action.Type) -> any Action {
    func open<A: Action>(_ type: A.Type) -> any Action {
        pointer.assumingMemoryBound(to: A.self).pointee
    }
    return open(type)
}
