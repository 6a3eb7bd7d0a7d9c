// SPDX-License-Identifier: MIT

public import EntityTables

/// Decides whether an action may change the state, before any reducer runs; refuses it with a typed reason.
///
/// ```swift
/// Check { (auction: Auction, bid: Bid) throws(BidRefusal) in
///     guard auction.isOpen else { throw .closed }
///     guard bid.amount > auction.highest else { throw .tooLow(least: auction.highest + 1) }
/// }
/// ```
///
/// - All checks that an action's address concerns run first, those of parents as well, in the order in which
///   they are listed: for an action without an address, those of every row. The first reason wins. Then nothing is
///   committed or logged, the state is untouched, and the dispatch returns the reason: ``DispatchResult/reason(as:)``.
/// - A check runs behind the middlewares and gates, under the store's lock, on the state that the reducers would change.
///   It must be as pure as a reducer.
/// - In a batch each dispatch is checked by itself: those before it have been committed already.
/// - A replay checks nothing: what is in a log was accepted.
/// - Where a slice or a row is absent there is nothing to check.
///
/// A check for actions that no reducer handles refuses nothing: they are unhandled.
///
/// - Complexity: O(checks of the action's type and their instances at the address); nothing for other actions.
public struct Check<State: Sendable>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    /// A check of actions of type `A`, sent to this place or to one inside it.
    ///
    /// - Parameter body: Throws the reason for refusing the action.
    public init<A: Action, Reason: RefusalReason>(
        _ body: @escaping @Sendable (State, A) throws(Reason) -> Void
    ) {
        enter = { registration in
            registration.check(
                A.self, Reason.self, of: registration.lens, includesChildren: true
            ) { (state: State, action, _) throws(Reason) in try body(state, action) }
        }
    }

    /// A parent's check of actions that are meant for rows of a collection.
    ///
    /// - Parameters:
    ///   - path: The collection, as in the ``Scope`` of its rows.
    ///   - name: The step of the address, when the scope was given one.
    ///   - body: Throws the reason for refusing the action; gets the id of the row that it is meant for, once for each
    ///     row where it has no address.
    public init<Rows: RowCollection & Sendable, A: Action, Reason: RefusalReason>(
        each path: any WritableKeyPath<State, Rows> & Sendable, name: String? = nil,
        _ body: @escaping @Sendable (State, Rows.Element.ID, A) throws(Reason) -> Void
    ) where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        enter = { registration in
            let rows = registration.lens(at: path, named: name).rows(of: Rows.self)
            let depth = rows.steps.count - 1
            registration.check(A.self, Reason.self, of: rows, includesChildren: false) {
                (state: State, action, address) throws(Reason) in
                guard let id = address.row(at: depth)?.id(as: Rows.Element.ID.self) else { return }
                try body(state, id, action)
            }
        }
    }

    /// Explains what to write if the reason is missing.
    @available(
        *, unavailable,
        message: "name the reason's type: { (state: Auction, bid: Bid) throws(BidRefusal) in … }"
    )
    public init<A: Action>(_ body: @escaping @Sendable (State, A) throws -> Void) {
        enter = { _ in }
    }

    /// Registers the check.
    public func register(in registration: inout Registration<State>) {
        enter(&registration)
    }
}

/// A registered ``Check`` without its types.
class Checker: @unchecked Sendable {  // Immutable, here and in its one subclass.
    /// Where the state is that it looks at.
    final let lens: SliceLens
    /// What the actions are meant for that it checks.
    final let subject: SliceLens
    /// Whether it also checks what is sent to something inside its subject.
    final let includesChildren: Bool

    init(at lens: SliceLens, of subject: SliceLens, includesChildren: Bool) {
        self.lens = lens
        self.subject = subject
        self.includesChildren = includesChildren
    }

    /// Why the action is refused; nil if it may come.
    final func failure(
        _ root: UnsafeRawPointer, _ action: UnsafeRawPointer, to address: Address
    ) -> CheckFailure? {
        guard
            address.includes(subject.steps)
                || includesChildren && subject.steps.count < address.components.count
                    && subject.isOnTheWay(of: address)
        else { return nil }
        var failure: CheckFailure?
        subject.look(at: address, in: root) { rows, slice in
            guard failure == nil else { return }
            let instance = subject.address(of: rows)
            guard lens.steps != subject.steps else {
                failure = check(slice, action, instance)
                return
            }
            lens.look(at: instance, in: root) { _, parent in
                if failure == nil { failure = check(parent, action, instance) }
            }
        }
        return failure
    }

    func check(
        _ slice: UnsafeRawPointer, _ action: UnsafeRawPointer, _ instance: Address
    ) -> CheckFailure? {
        preconditionFailure("A checker without a body.")
    }
}

/// The check of one action type.
final class TypedChecker<Slice, A: Action, Reason: RefusalReason>: Checker, @unchecked Sendable {
    // Immutable.
    private let body: @Sendable (Slice, A, Address) throws(Reason) -> Void

    init(
        at lens: SliceLens, of subject: SliceLens, includesChildren: Bool,
        body: @escaping @Sendable (Slice, A, Address) throws(Reason) -> Void
    ) {
        self.body = body
        super.init(at: lens, of: subject, includesChildren: includesChildren)
    }

    override func check(
        _ slice: UnsafeRawPointer, _ action: UnsafeRawPointer, _ instance: Address
    ) -> CheckFailure? {
        do throws(Reason) {
            try body(
                slice.assumingMemoryBound(to: Slice.self).pointee,
                action.assumingMemoryBound(to: A.self).pointee, instance)
            return nil
        } catch {
            return CheckFailure(error)
        }
    }
}
