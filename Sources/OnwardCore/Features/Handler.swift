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
    /// When it runs among those of its action.
    final let turn: Turn

    /// When a handler runs.
    enum Turn {
        /// In the order in which parts were registered.
        case inOrder
        /// In order, also for what is addressed to a child or a row inside the slice.
        case before
        /// After all others and what parents add, also for what is addressed to a child or a row.
        case after
    }

    init(lens: SliceLens, order: Int, turn: Turn = .inOrder) {
        self.lens = lens
        self.order = order
        self.turn = turn
        offset = lens.finder == nil ? lens.range.lowerBound : -1
    }

    /// Whether it surrounds the one instance inside its slice that an address names.
    final func surrounds(_ address: Address) -> Bool {
        turn != .inOrder && lens.steps.count < address.components.count
            && lens.isOnTheWay(of: address)
    }

    /// Runs for each instance of its slice that an address names or lies in; false where none is there.
    @discardableResult
    final func run(
        in root: UnsafeMutableRawPointer, _ address: Address, _ action: UnsafeRawPointer,
        _ type: any Action.Type, _ stamp: Stamp?
    ) -> Bool {
        lens.reach(in: root, address) { run($0, action, type, stamp) }
    }

    /// Whether it wants the stamp of its action.
    var asksForStamp: Bool { false }

    /// The type of the slice.
    var slice: any Any.Type { Never.self }

    /// `stamp` is there for those who ask for it.
    func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ type: any Action.Type,
        _ stamp: Stamp?
    ) {
        preconditionFailure("A handler without a body.")
    }
}

/// The reducer of one action type.
final class TypedHandler<Slice, A: Action>: Handler, @unchecked Sendable {  // Immutable.
    private let body: @Sendable (inout Slice, A) -> Void

    override var slice: any Any.Type { Slice.self }

    init(
        lens: SliceLens, order: Int, turn: Turn = .inOrder,
        body: @escaping @Sendable (inout Slice, A) -> Void
    ) {
        self.body = body
        super.init(lens: lens, order: order, turn: turn)
    }

    override func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ type: any Action.Type,
        _ stamp: Stamp?
    ) {
        body(
            &slice.assumingMemoryBound(to: Slice.self).pointee,
            action.assumingMemoryBound(to: A.self).pointee)
    }
}

/// The reducer of one action type that asks for the stamp.
final class StampedHandler<Slice, A: Action>: Handler, @unchecked Sendable {  // Immutable.
    private let body: @Sendable (inout Slice, A, Stamp) -> Void

    override var slice: any Any.Type { Slice.self }
    override var asksForStamp: Bool { true }

    init(
        lens: SliceLens, order: Int, body: @escaping @Sendable (inout Slice, A, Stamp) -> Void
    ) {
        self.body = body
        super.init(lens: lens, order: order)
    }

    override func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ type: any Action.Type,
        _ stamp: Stamp?
    ) {
        guard let stamp else { preconditionFailure("A route that asks for stamps has none.") }
        body(
            &slice.assumingMemoryBound(to: Slice.self).pointee,
            action.assumingMemoryBound(to: A.self).pointee, stamp)
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
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ type: any Action.Type,
        _ stamp: Stamp?
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
