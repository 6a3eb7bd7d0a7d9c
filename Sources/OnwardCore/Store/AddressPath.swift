// SPDX-License-Identifier: MIT

public import EntityTables

/// An instance of a feature inside a state, named like its scope: `.child(\.detail)`,
/// `.row(\.tasks, id: 7)`.
///
/// Unlike the text of an ``Address``, it is checked by the compiler, however deep it is.
public struct AddressPath<State: Sendable>: Sendable, Hashable {
    /// The address, seen from the feature of the state.
    public let address: Address

    /// The instance at a slice, or one inside it.
    ///
    /// ```swift
    /// .child(\.plan, then: .row(\.trips, id: 1, then: .row(\.days, id: 2)))
    /// ```
    ///
    /// - Parameters:
    ///   - path: The slice, as in the ``Scope`` that placed the feature.
    ///   - name: The step of the address, when the scope was given one.
    ///   - inner: The instance inside the slice that is meant; nil for the slice's own.
    /// - Returns: The path to the instance.
    public static func child<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil,
        then inner: AddressPath<Slice>? = nil
    ) -> AddressPath {
        AddressPath(to: path, name, inner?.address)
    }

    /// An instance inside an optional slice.
    ///
    /// - Parameters:
    ///   - path: The slice, as in the ``Scope`` that placed the feature.
    ///   - name: The step of the address, when the scope was given one.
    ///   - inner: The instance inside the slice.
    /// - Returns: The path to the instance.
    public static func child<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice?> & Sendable, name: String? = nil,
        then inner: AddressPath<Slice>
    ) -> AddressPath {
        AddressPath(to: path, name, inner.address)
    }

    /// The instance at a row, or one inside it; the row need not exist yet.
    ///
    /// - Parameters:
    ///   - path: The rows, as in the ``Scope`` that placed the feature.
    ///   - id: The id of the row.
    ///   - name: The step of the address, when the scope was given one.
    ///   - inner: The instance inside the row that is meant; nil for the row's own.
    /// - Returns: The path to the instance.
    public static func row<Rows: RowCollection & Sendable>(
        _ path: any WritableKeyPath<State, Rows> & Sendable, id: Rows.Element.ID,
        name: String? = nil, then inner: AddressPath<Rows.Element>? = nil
    ) -> AddressPath where Rows.Element.ID: Sendable {
        AddressPath(to: path, name, Address([.row(RowKey(id))]).appending(inner?.address ?? .root))
    }

    private init(to path: AnyKeyPath, _ name: String?, _ inner: Address?) {
        let step = FeatureCompiler().name(of: path, given: name)
        address = Address([.slice(step)]).appending(inner ?? .root)
    }
}

extension Store {
    /// Dispatches an action to an instance inside this store's slice:
    /// `store.dispatch(TaskAction.done, to: .row(\.tasks, id: 7))`.
    ///
    /// Otherwise it works like dispatching to an ``Address``.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - instance: The instance.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The caller's actor; subscribers on that actor are called at once.
    /// - Returns: What became of the action.
    @discardableResult
    public func dispatch(
        _ action: some Action, to instance: AddressPath<State>, file: String = #fileID,
        line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        dispatch(action, to: instance.address, file: file, line: line, isolation: isolation)
    }
}

/// The path from a state to one row of a collection in it: `.row(\.tasks, id: 7)`.
public struct RowPath<State: Sendable, Row: Sendable>: Sendable {
    let path: any AnyKeyPath & Sendable
    let key: RowKey
    let read: @Sendable (State) -> Row?
    let getter: @Sendable (Getter<State>) -> Getter<Row?>
    /// What reports the row in a store; nil where only a commit notifies.
    let source: (@Sendable (Store<State>) -> RowSource<Row?>)?

    private init<Rows: RowCollection & Sendable>(
        _ path: any WritableKeyPath<State, Rows> & Sendable, _ id: Rows.Element.ID,
        source: (@Sendable (Store<State>) -> RowSource<Row?>)?
    ) where Rows.Element == Row, Rows.Element.ID: Sendable {
        self.path = path
        self.source = source
        key = RowKey(id)
        read = { $0[keyPath: path][id: id] }
        getter = { whole in
            whole.appending(path).selecting(as: whole.source(of: path, id: id)) { $0[id: id] }
        }
    }

    /// The row with an id; it need not exist yet.
    ///
    /// - Complexity: a commit inside the slice costs each subscriber a search for the row.
    public static func row<Rows: RowCollection & Sendable>(
        _ path: any WritableKeyPath<State, Rows> & Sendable, id: Rows.Element.ID
    ) -> RowPath where Rows.Element == Row, Rows.Element.ID: Sendable {
        RowPath(path, id, source: nil)
    }

    /// The row of a table with an id; it need not exist yet.
    ///
    /// - Complexity: the cost of a commit for subscribers depends only on what it changed in the
    ///   table, not on the number of rows or of their stores.
    public static func row(
        _ path: any WritableKeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID
    ) -> RowPath where Row: Identifiable & Equatable, Row.ID: Sendable {
        RowPath(path, id, source: { RowSource(of: $0, path, id: id) })
    }
}
