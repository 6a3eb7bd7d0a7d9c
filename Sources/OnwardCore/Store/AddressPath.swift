// SPDX-License-Identifier: MIT

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
