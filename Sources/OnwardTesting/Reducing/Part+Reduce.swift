// SPDX-License-Identifier: MIT

public import Onward

extension Part {
    /// Returns the state after some actions, by the reducers alone: no store, no
    /// effect.
    ///
    /// ```swift
    /// #expect(counter.reduce(Counter(), CounterAction.increment).count == 1)
    /// ```
    ///
    /// An action that no reducer handles fails the test. Reducers that ask for stamps get ids with the numbers from 1 on,
    /// the time 0, and `ActionAuthor.current`. Checks are not asked.
    ///
    /// - Parameters:
    ///   - state: The state before.
    ///   - actions: What happens, in this order.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    /// - Returns: The state after.
    public func reduce(
        _ state: State, _ actions: any Action..., fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) -> State {
        let callSite = CallSite(fileID, filePath, line, column)
        let reducer = PureReducer(
            self, onProgrammerError: { Issue.report($0.description, at: callSite) })
        var state = state
        let ids = IDSource.numbered()
        let start = Timestamp(nanosecondsSince1970: 0)
        for action in actions
        where !reducer.reduce(
            &state, action, stamp: Stamp(from: ids, at: start, by: ActionAuthor.current))
        {
            Issue.report(
                """
                \(action.wireName) is handled by no reducer of the part that it is tested with. To \
                fix this, add a `Reduce` for its type, or test it with the feature that has one.
                """, at: callSite)
        }
        return state
    }

    #if Testing
    /// Fails the test unless an action changes a state exactly as stated, by the reducers alone.
    ///
    /// ```swift
    /// counter.expect(CounterAction.increment, from: Counter()) { $0.count = 1 }
    /// ```
    ///
    /// - Parameters:
    ///   - action: What happens.
    ///   - state: The state before.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - changes: Turns the state before into the one after; without it, the state must not
    ///     change.
    public func expect(
        _ action: some Action, from state: State, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        changes: ((inout State) throws -> Void)? = nil
    ) {
        let callSite = CallSite(fileID, filePath, line, column)
        let after = reduce(
            state, action, fileID: fileID, filePath: filePath, line: line, column: column)
        Expectation(changes, .exhaustive).check(
            action.wireName, before: state, after: after, at: callSite)
    }
    #endif
}
