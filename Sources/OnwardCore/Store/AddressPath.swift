// SPDX-License-Identifier: MIT

public import EntityTables

/// An instance of a feature inside a state, named as its scope is: `.child(\.detail)`, `.row(\.tasks, id: 7)`.
///
/// The compiler checks it, unlike the text of an ``Address``.
public struct AddressPath<State: Sendable>: Sendable, Hashable {
    /// The address, seen from the feature of the state.
    public let address: Address

    /// The instance at a slice.
    ///
    /// - Parameters:
    ///   - path: The slice, as in the ``Scope`` that placed the feature.
    ///   - name: The step of the address, when the scope was given one.
    /// - Returns: The way to the instance.
    public static func child<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, name: String? = nil
    ) -> AddressPath {
        AddressPath(address: Address([.slice(FeatureCompiler().name(of: path, given: name))]))
    }

    /// The instance at a row; it need not be there yet.
    ///
    /// - Parameters:
    ///   - path: The rows, as in the ``Scope`` that placed the feature.
    ///   - id: The id of the row.
    ///   - name: The step of the address, when the scope was given one.
    /// - Returns: The way to the instance.
    public static func row<Rows: RowCollection & Sendable>(
        _ path: any WritableKeyPath<State, Rows> & Sendable, id: Rows.Element.ID,
        name: String? = nil
    ) -> AddressPath where Rows.Element.ID: Sendable {
        let step = FeatureCompiler().name(of: path, given: name)
        return AddressPath(address: Address([.slice(step), .row(RowKey(id))]))
    }
}

extension Store {
    /// Says what happened to an instance inside this store's slice: `store.dispatch(TaskAction.done, to: .row(\.tasks, id: 7))`.
    ///
    /// Otherwise like the dispatch to an ``Address``.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - part: The instance.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the action.
    @discardableResult
    public func dispatch(
        _ action: some Action, to part: AddressPath<State>, file: String = #fileID,
        line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult {
        dispatch(action, to: part.address, file: file, line: line, isolation: isolation)
    }
}

/// The way from a state to one row of a collection in it: `.row(\.tasks, id: 7)`.
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

    /// The row with an id; it need not be there yet.
    ///
    /// - Complexity: a commit inside the slice costs each subscriber a search for the row.
    public static func row<Rows: RowCollection & Sendable>(
        _ path: any WritableKeyPath<State, Rows> & Sendable, id: Rows.Element.ID
    ) -> RowPath where Rows.Element == Row, Rows.Element.ID: Sendable {
        RowPath(path, id, source: nil)
    }

    /// The row of a table with an id; it need not be there yet.
    ///
    /// - Complexity: a commit costs subscribers only what it changed in the table, whatever the number of
    ///   rows and of their stores.
    public static func row(
        _ path: any WritableKeyPath<State, EntityTable<Row>> & Sendable, id: Row.ID
    ) -> RowPath where Row: Identifiable & Equatable, Row.ID: Sendable {
        RowPath(path, id, source: { RowSource(of: $0, path, id: id) })
    }
}
