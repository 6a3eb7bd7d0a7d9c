// SPDX-License-Identifier: MIT

public import OnwardCore

extension Store {
    /// Gives a field of the form another value, by an ``Edit`` that ``Edits`` applies.
    ///
    /// ```swift
    /// store.edit(\.name, "Ann")
    /// ```
    ///
    /// - Parameters:
    ///   - path: The field, one of the form's ``Editable/fields``; any other is a programmer error, and
    ///     refused.
    ///   - value: Its new value.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The actor that the caller runs on; its subscribers are called at once.
    /// - Returns: What became of the edit.
    /// - Complexity: O(declared fields), more than that of a dispatch.
    @discardableResult
    public func edit<Value: Codable & Equatable & Sendable>(
        _ path: any WritableKeyPath<State, Value> & Sendable, _ value: Value,
        file: String = #fileID, line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult where State: Editable {
        send(Edit(path, value), of: path, file, line, isolation)
    }

    /// Gives a field of the form in an optional slice or a row another value; refused while there is
    /// none.
    @discardableResult
    public func edit<Form: Editable, Value: Codable & Equatable & Sendable>(
        _ path: any WritableKeyPath<Form, Value> & Sendable, _ value: Value,
        file: String = #fileID, line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult where State == Form? {
        send(Edit(path, value), of: path, file, line, isolation)
    }

    /// A field of the form: reading observes it, assigning is an ``Edit``.
    ///
    /// ```swift
    /// TextField("Name", text: $store[editing: \.name])
    /// ```
    ///
    /// The value is read for the main actor, where views are.
    ///
    /// - Parameters:
    ///   - path: The field, one of the form's ``Editable/fields``.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    public subscript<Value: Codable & Equatable & Sendable>(
        editing path: any WritableKeyPath<State, Value> & Sendable,
        file file: String = #fileID, line line: Int = #line
    ) -> Value where State: Editable {
        get { self[path, isolation: MainActor.shared] }
        set { edit(path, newValue, file: file, line: line, isolation: nil) }
    }

    private func send<Form: Editable>(
        _ edit: Edit<Form>, of path: PartialKeyPath<Form>, _ file: String, _ line: Int,
        _ isolation: (any Actor)?
    ) -> DispatchResult {
        guard Form.fields[path] != nil else {
            engine.options.report(.undeclaredField("\(path)", of: Form.self))
            return .refused(.unhandled)
        }
        return dispatch(edit, file: file, line: line, isolation: isolation)
    }
}

extension FeatureStore {
    /// Gives a field of the form another value, by an ``Edit`` that ``Edits`` applies; see
    /// ``Store/edit(_:_:file:line:isolation:)-(WritableKeyPath<State,Value>Sendable,_,_,_,_)``.
    @discardableResult
    public func edit<Value: Codable & Equatable & Sendable>(
        _ path: any WritableKeyPath<State, Value> & Sendable, _ value: Value,
        file: String = #fileID, line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult where State: Editable {
        base.edit(path, value, file: file, line: line, isolation: isolation)
    }

    /// Gives a field of the form in an optional slice or a row another value; refused while there is
    /// none.
    @discardableResult
    public func edit<Form: Editable, Value: Codable & Equatable & Sendable>(
        _ path: any WritableKeyPath<Form, Value> & Sendable, _ value: Value,
        file: String = #fileID, line: Int = #line, isolation: (any Actor)? = #isolation
    ) -> DispatchResult where State == Form? {
        base.edit(path, value, file: file, line: line, isolation: isolation)
    }

    /// A field of the form: reading observes it, assigning is an ``Edit``; see
    /// ``Store/subscript(editing:file:line:)``.
    public subscript<Value: Codable & Equatable & Sendable>(
        editing path: any WritableKeyPath<State, Value> & Sendable,
        file file: String = #fileID, line line: Int = #line
    ) -> Value where State: Editable {
        get { base[editing: path, file: file, line: line] }
        set { base[editing: path, file: file, line: line] = newValue }
    }
}
