// SPDX-License-Identifier: MIT

#if Testing
public import Onward

extension TestStore {
    /// Dispatches several actions in a row to an instance inside the state, as
    /// `dispatch(inSuccession:to:)` does with an `Address`.
    public func dispatch(
        inSuccession actions: [any Action], to instance: AddressPath<State>,
        _ strictness: Strictness = .exhaustive, isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, changes: ((inout State) throws -> Void)? = nil
    ) async {
        await dispatch(
            inSuccession: actions, to: instance.address, strictness, isolation: isolation,
            fileID: fileID,
            filePath: filePath, line: line, column: column, changes: changes)
    }

    /// Expects an action next, for an instance inside the state: `at: .row(\.tasks, id: 7)`.
    ///
    /// Otherwise like `receive` with an `Address`.
    public func receive<A: Action & Equatable>(
        _ action: A, at instance: AddressPath<State>, _ strictness: Strictness = .exhaustive,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: ((inout State) throws -> Void)? = nil
    ) async {
        await receive(
            action, at: instance.address, strictness, isolation: isolation, fileID: fileID,
            filePath: filePath, line: line, column: column, changes: changes)
    }

    /// Expects an action of a type next, for an instance inside the state:
    /// `at: .row(\.tasks, id: 7)`.
    ///
    /// Otherwise like `receive` with an `Address`.
    @discardableResult
    public func receive<A: Action>(
        _ type: A.Type, at instance: AddressPath<State>, _ strictness: Strictness = .exhaustive,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: ((inout State) throws -> Void)? = nil
    ) async -> A? {
        await receive(
            type, at: instance.address, strictness, isolation: isolation, fileID: fileID,
            filePath: filePath, line: line, column: column, changes: changes)
    }

    /// Expects an action of a certain form next, for an instance inside the state:
    /// `at: .row(\.tasks, id: 7)`.
    ///
    /// Otherwise like `receive` with an `Address`.
    @discardableResult
    public func receive<A: Action>(
        _ type: A.Type = A.self, where pattern: (A) -> Bool, at instance: AddressPath<State>,
        _ strictness: Strictness = .exhaustive, isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, changes: ((inout State) throws -> Void)? = nil
    ) async -> A? {
        await receive(
            type, where: pattern, at: instance.address, strictness, isolation: isolation,
            fileID: fileID, filePath: filePath, line: line, column: column, changes: changes)
    }
}
#endif
