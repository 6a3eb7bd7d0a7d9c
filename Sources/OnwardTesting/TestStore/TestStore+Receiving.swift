// SPDX-License-Identifier: MIT

#if Testing
public import Onward

extension TestStore {
    /// Expects an action next that the test did not dispatch itself, and states what it
    /// changes.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - address: The instance that it was meant for; nil for any.
    ///   - strictness: Whether it has to be the next one, and all changes have to be stated.
    ///   - isolation: The actor that the test runs on.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - changes: Turns the state before into the one after; without it, the state must not
    ///     change.
    public func receive<A: Action & Equatable>(
        _ action: A, at address: Address? = nil, _ strictness: Strictness = .exhaustive,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: ((inout State) throws -> Void)? = nil
    ) async {
        _ = await receive(
            TestFailure.dump(action) + Self.text(address), at: address, strictness,
            CallSite(fileID, filePath, line, column),
            changes.map { changes in { state, _ in try changes(&state) } }, isolation: isolation,
            match: { (other: A) in TestFailure.areEqual(action, other) },
            difference: { other in
                TestFailure.areEqual(action, other) ? nil : TestFailure.difference(action, other)
            })
    }

    /// Expects an action next that the test did not dispatch itself and that is completed when it is dispatched, and
    /// states what it changes with the same stamp.
    public func receive<A: Action & Equatable>(
        _ action: A, at address: Address? = nil, _ strictness: Strictness = .exhaustive,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: (inout State, Stamp) throws -> Void
    ) async {
        await withoutActuallyEscaping(changes) { changes in
            _ = await receive(
                TestFailure.dump(action) + Self.text(address), at: address, strictness,
                CallSite(fileID, filePath, line, column), changes, isolation: isolation,
                match: { (other: A) in TestFailure.areEqual(action, other) },
                difference: { other in
                    TestFailure.areEqual(action, other)
                        ? nil : TestFailure.difference(action, other)
                })
        }
    }

    /// Expects an action of a type next that the test did not dispatch itself, and states what it
    /// changes.
    ///
    /// - Parameters:
    ///   - type: The type of the action.
    ///   - address: The instance that it was meant for; nil for any.
    ///   - strictness: Whether it has to be the next one, and all changes have to be stated.
    ///   - isolation: The actor that the test runs on.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - changes: Turns the state before into the one after; without it, the state must not
    ///     change.
    /// - Returns: The action; nil if another one came, or none.
    @discardableResult
    public func receive<A: Action>(
        _ type: A.Type, at address: Address? = nil, _ strictness: Strictness = .exhaustive,
        isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: ((inout State) throws -> Void)? = nil
    ) async -> A? {
        await receive(
            "any \(A.actionName)" + Self.text(address), at: address, strictness,
            CallSite(fileID, filePath, line, column),
            changes.map { changes in { state, _ in try changes(&state) } }, isolation: isolation,
            match: { _ in true }, difference: { _ in nil })
    }

    /// Expects an action of a certain form next that the test did not dispatch itself, and states
    /// what it changes.
    ///
    /// For actions that are not `Equatable`, or of which only a part matters:
    ///
    /// ```swift
    /// await store.receive(where: \SearchAction.isFound) { $0.isLoading = false }
    /// await store.receive { (action: SearchAction) in
    ///     if case .found(let books) = action { books.count == 2 } else { false }
    /// } changes: {
    ///     $0.isLoading = false
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the action.
    ///   - pattern: Whether it is the expected one, as a closure or a key path.
    ///   - address: The instance that it was meant for; nil for any.
    ///   - strictness: Whether it has to be the next one, and all changes have to be stated.
    ///   - isolation: The actor that the test runs on.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - changes: Turns the state before into the one after; without it, the state must not
    ///     change.
    /// - Returns: The action; nil if another one came, or none.
    @discardableResult
    public func receive<A: Action>(
        _ type: A.Type = A.self, where pattern: (A) -> Bool, at address: Address? = nil,
        _ strictness: Strictness = .exhaustive, isolation: isolated (any Actor)? = #isolation,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column, changes: ((inout State) throws -> Void)? = nil
    ) async -> A? {
        await receive(
            "a matching \(A.actionName)" + Self.text(address), at: address, strictness,
            CallSite(fileID, filePath, line, column),
            changes.map { changes in { state, _ in try changes(&state) } }, isolation: isolation,
            match: pattern, difference: { _ in nil })
    }

    private static func text(_ address: Address?) -> String {
        address.map { " at \"\($0)\"" } ?? ""
    }
}
#endif
