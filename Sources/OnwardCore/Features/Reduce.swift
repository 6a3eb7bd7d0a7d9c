// SPDX-License-Identifier: MIT

public import EntityTables

/// The reducer for one type of action: how a state changes when something happens.
///
/// ```swift
/// Feature<Inbox> {
///     Reduce { (inbox: inout Inbox, action: InboxAction) in … }
///     Scope(\.editor, editor)
///     Scope(each: \.mails, mail)
///     Reduce(child: \.editor) { (inbox, action: EditorAction) in
///         if case .save = action { inbox.editor = nil }
///     }
///     Reduce(each: \.mails) { (inbox, id, action: MailAction) in
///         if case .delete = action { inbox.mails.remove(id: id) }
///     }
/// }
/// ```
///
/// The closure must be pure: its result depends on the state and the action alone. It runs under
/// the store's lock, on the dispatching thread, changes the state in place, and runs again in a
/// replay.
///
/// An action dispatched through a child's store, or by work that belongs to the child, is addressed
/// to the child and reaches no plain `Reduce` of the parent. A `Reduce(child:)` or `Reduce(each:)`
/// of the parent handles the child's actions however they were addressed:
///
/// - It runs after all reducers of the action, including those of the child, in the same commit,
///   and sees their result. It cannot keep the action from them. Several run in the order in which
///   they are listed.
/// - It runs once for each instance of the child that the action was meant for when the commit
///   began: for an action without an address, once for each row, in order. That includes a row or
///   an optional child that a reducer removes in the meantime. While a child is absent, its actions
///   are refused, and nothing runs.
/// - It handles what is sent to the child itself, not what is sent to the features inside the
///   child: those are the child's to handle.
/// - An action is handled if only the parent, but not the child, has a reducer for it. So a child
///   can report to a parent that it does not know.
///
/// - Complexity: O(instances of the child that the action is meant for).
public struct Reduce<State: Sendable>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    /// A reducer for actions of type `A`.
    public init<A: Action>(_ body: @escaping @Sendable (inout State, A) -> Void) {
        enter = { $0.reduce(A.self, with: body) }
    }

    /// A reducer for actions of type `A` that are completed when they are dispatched: with new ids, the time, the author.
    ///
    /// - Complexity: An action with such a reducer costs about a microsecond more.
    public init<A: Action>(_ body: @escaping @Sendable (inout State, A, Stamp) -> Void) {
        enter = { $0.reduce(A.self, stamped: body) }
    }

    /// A reducer for every action, whatever its type, even for those that no feature registered.
    ///
    /// For adapters and tests: in a store with it, no action is unhandled.
    ///
    /// - Complexity: boxes the action, about 50 ns; typed reducers never pay for it.
    public static func everyAction(
        _ body: @escaping @Sendable (inout State, any Action) -> Void
    ) -> Reduce {
        Reduce(entering: { $0.reduceAny(with: body) })
    }

    private init(entering enter: @escaping @Sendable (inout Registration<State>) -> Void) {
        self.enter = enter
    }

    /// Explains what to write if the type of the action is missing.
    @available(
        *, unavailable, message: "name the action's type: { state, action: CounterAction in … }"
    )
    public init(_ body: @escaping @Sendable (inout State, any Action) -> Void) {
        enter = { $0.reduceAny(with: body) }
    }

    /// A parent's reducer for the actions of a child at a property.
    ///
    /// - Parameters:
    ///   - path: The child, as in its ``Scope``.
    ///   - name: The step of the address, when the scope was given one.
    ///   - body: Changes the state of the parent.
    public init<Child: Sendable, A: Action>(
        child path: any WritableKeyPath<State, Child> & Sendable, name: String? = nil,
        _ body: @escaping @Sendable (inout State, A) -> Void
    ) {
        enter = { registration in
            let child = registration.lens(at: path, named: name)
            registration.reduce(A.self, ofChild: child) { state, action, _, _ in
                body(&state, action)
            }
        }
    }

    /// A parent's reducer for the actions of an optional child; while the child is nil, there are
    /// none.
    ///
    /// - Parameters:
    ///   - path: The child, as in its ``Scope``.
    ///   - name: The step of the address, when the scope was given one.
    ///   - body: Changes the state of the parent.
    public init<Child: Sendable, A: Action>(
        child path: any WritableKeyPath<State, Child?> & Sendable, name: String? = nil,
        _ body: @escaping @Sendable (inout State, A) -> Void
    ) {
        enter = { registration in
            let child = registration.lens(unwrapping: path, named: name)
            registration.reduce(A.self, ofChild: child) { state, action, _, _ in
                body(&state, action)
            }
        }
    }

    /// A parent's reducer for the actions of the rows of a collection.
    ///
    /// - Parameters:
    ///   - path: The collection, as in the ``Scope`` of its rows.
    ///   - name: The step of the address, when the scope was given one.
    ///   - body: Changes the state of the parent; gets the id of the row that the action was meant
    ///     for.
    public init<Rows: RowCollection & Sendable, A: Action>(
        each path: any WritableKeyPath<State, Rows> & Sendable, name: String? = nil,
        _ body: @escaping @Sendable (inout State, Rows.Element.ID, A) -> Void
    ) where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        enter = { registration in
            let child = registration.lens(at: path, named: name).rows(of: Rows.self)
            let depth = child.steps.count - 1
            registration.reduce(A.self, ofChild: child) { state, action, address, _ in
                guard let id = address.row(at: depth)?.id(as: Rows.Element.ID.self) else { return }
                body(&state, id, action)
            }
        }
    }

    /// A parent's reducer for the actions of the rows of a collection, which are completed when they are dispatched.
    public init<Rows: RowCollection & Sendable, A: Action>(
        each path: any WritableKeyPath<State, Rows> & Sendable, name: String? = nil,
        _ body: @escaping @Sendable (inout State, Rows.Element.ID, A, Stamp) -> Void
    ) where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        enter = { registration in
            let child = registration.lens(at: path, named: name).rows(of: Rows.self)
            let depth = child.steps.count - 1
            registration.reduce(A.self, ofChild: child, asksForStamp: true) {
                state, action, address, stamp in
                guard let stamp,
                    let id = address.row(at: depth)?.id(as: Rows.Element.ID.self)
                else { return }
                body(&state, id, action, stamp)
            }
        }
    }

    /// Registers the reducer.
    public func register(in registration: inout Registration<State>) {
        enter(&registration)
    }
}

/// A registered ``Reduce`` of a parent for its child's actions, without its types.
class ChildReducer: @unchecked Sendable {  // Immutable, here and in its one subclass.
    /// The parent.
    final let lens: SliceLens
    /// The child whose actions it handles.
    final let child: SliceLens
    /// Whether it wants the stamp of its action.
    final let asksForStamp: Bool

    init(of child: SliceLens, at lens: SliceLens, asksForStamp: Bool) {
        self.child = child
        self.lens = lens
        self.asksForStamp = asksForStamp
    }

    /// Handles an action that was meant for one instance of the child; false when the parent is
    /// gone.
    func reduce(
        _ root: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, of instance: Address,
        _ stamp: Stamp?
    ) -> Bool {
        lens.reach(in: root, instance) { run($0, action, instance, stamp) }
    }

    func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ instance: Address,
        _ stamp: Stamp?
    ) {
        preconditionFailure("A child's reducer without a body.")
    }
}

/// The reducer of one action type.
final class TypedChildReducer<Slice, A: Action>: ChildReducer, @unchecked Sendable {  // Immutable.
    private let body: @Sendable (inout Slice, A, Address, Stamp?) -> Void

    init(
        of child: SliceLens, at lens: SliceLens, asksForStamp: Bool,
        body: @escaping @Sendable (inout Slice, A, Address, Stamp?) -> Void
    ) {
        self.body = body
        super.init(of: child, at: lens, asksForStamp: asksForStamp)
    }

    override func run(
        _ slice: UnsafeMutableRawPointer, _ action: UnsafeRawPointer, _ instance: Address,
        _ stamp: Stamp?
    ) {
        body(
            &slice.assumingMemoryBound(to: Slice.self).pointee,
            action.assumingMemoryBound(to: A.self).pointee, instance, stamp)
    }
}
