// SPDX-License-Identifier: MIT

/// A parent's answer to the actions of its child, in the same commit.
///
/// ```swift
/// Feature<Inbox> {
///     Scope(\.editor, editor)
///     Scope(each: \.mails, mail)
///     Intercept(\.editor) { (inbox: inout Inbox, action: EditorAction) in
///         if case .save = action { inbox.editor = nil }
///     }
///     Intercept(each: \.mails) { (inbox: inout Inbox, id: Mail.ID, action: MailAction) in
///         if case .delete = action { inbox.mails.remove(id: id) }
///     }
/// }
/// ```
///
/// An action that is dispatched through a child's store, or by work that belongs to it, is addressed to
/// the child and reaches no ``Reduce`` of the parent. An `Intercept` sees it however it was addressed:
///
/// - It runs after all reducers of the action, those of the child included, in the same commit, and
///   sees what they left. It cannot keep the action from them. Several run in the order in which they
///   are listed.
/// - It runs once for each instance of the child that the action was meant for when the commit began:
///   for an action without an address, once for each row, in order. That also holds for a row or an
///   optional child that a reducer removes meanwhile. While a child is absent, its actions are
///   refused, and nothing is intercepted.
/// - It answers what is sent to the child itself, not what is sent to the features inside the child:
///   those are the child's to intercept.
/// - An action for which the child has no reducer, but its parent has an `Intercept`, is handled. So a
///   child may report to a parent that it does not know.
///
/// Otherwise it is a reducer: pure, run under the store's lock, and run again in a replay.
///
/// - Complexity: O(instances of the child that the action is meant for).
public struct Intercept<State: Sendable, A: Action>: Part {
    private let enter: @Sendable (inout Registration<State>) -> Void

    /// An answer to the actions of a child at a property.
    ///
    /// - Parameters:
    ///   - path: The child, as in its ``Scope``.
    ///   - name: The step of the address, when the scope was given one.
    ///   - body: Changes the state of the parent.
    public init<Child: Sendable>(
        _ path: any WritableKeyPath<State, Child> & Sendable, name: String? = nil,
        _ body: @escaping @Sendable (inout State, A) -> Void
    ) {
        enter = { registration in
            let child = registration.lens(at: path, named: name)
            registration.intercept(A.self, at: child) { state, action, _ in body(&state, action) }
        }
    }

    /// An answer to the actions of an optional child; while that is nil, there are none.
    ///
    /// - Parameters:
    ///   - path: The child, as in its ``Scope``.
    ///   - name: The step of the address, when the scope was given one.
    ///   - body: Changes the state of the parent.
    public init<Child: Sendable>(
        _ path: any WritableKeyPath<State, Child?> & Sendable, name: String? = nil,
        _ body: @escaping @Sendable (inout State, A) -> Void
    ) {
        enter = { registration in
            let child = registration.lens(unwrapping: path, named: name)
            registration.intercept(A.self, at: child) { state, action, _ in body(&state, action) }
        }
    }

    /// An answer to the actions of the rows of a collection.
    ///
    /// - Parameters:
    ///   - path: The collection, as in the ``Scope`` of its rows.
    ///   - name: The step of the address, when the scope was given one.
    ///   - body: Changes the state of the parent; gets the id of the row that the action was meant for.
    public init<Rows: RowCollection & Sendable>(
        each path: any WritableKeyPath<State, Rows> & Sendable, name: String? = nil,
        _ body: @escaping @Sendable (inout State, Rows.Element.ID, A) -> Void
    ) where Rows.Element: Sendable, Rows.Element.ID: Sendable {
        enter = { registration in
            let child = registration.lens(at: path, named: name).rows(of: Rows.self)
            let depth = child.steps.count - 1
            registration.intercept(A.self, at: child) { state, action, address in
                guard let id = address.row(at: depth)?.id(as: Rows.Element.ID.self) else { return }
                body(&state, id, action)
            }
        }
    }

    /// Registers the answer for `A`.
    public func register(in registration: inout Registration<State>) {
        enter(&registration)
    }
}
