// SPDX-License-Identifier: MIT

#if Testing
public import Onward

extension Part {
    /// Fails the test if a random sequence of actions leads to a state in which a condition does
    /// not hold.
    ///
    /// ```swift
    /// rules.check(
    ///     from: Game(),
    ///     always: ["at most two cards are open": { $0.openCards.count <= 2 }]
    /// ) { random, game in
    ///     GameAction.flip(Int.random(in: 0..<16, using: &random))
    /// }
    /// ```
    ///
    /// The reducers run alone, without store and effects; an action that a check refuses is passed over. A failing sequence is shortened until no
    /// action can be left out; the message shows it, with a seed that makes the first run fail
    /// again.
    ///
    /// - Parameters:
    ///   - state: The state before the first action.
    ///   - invariants: The conditions that have to hold at the start and after each action, by
    ///     name.
    ///   - steps: The conditions that have to hold between the states before and after an action,
    ///     by name.
    ///   - runs: How many sequences to try.
    ///   - length: How many actions are in each sequence.
    ///   - seed: The seed of the random numbers; by default a different one each time.
    ///   - fileID: The source file, for failures.
    ///   - filePath: The path of the source file, for failures.
    ///   - line: The source line, for failures.
    ///   - column: The column in the line, for failures.
    ///   - action: Makes the next action; its choice must depend only on its arguments.
    /// - Complexity: O(`runs` · `length`) reductions, and a few thousand for a failure.
    public func check(
        from state: State,
        always invariants: KeyValuePairs<String, (State) throws -> Bool> = [:],
        eachStep steps: KeyValuePairs<
            String, (_ before: State, _ action: any Action, _ after: State) throws -> Bool
        > = [:],
        runs: Int = 100, length: Int = 100, seed: UInt64? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
        actions action: (_ random: inout RandomSource, _ state: State) -> any Action
    ) {
        let callSite = CallSite(fileID, filePath, line, column)
        let reducer = PureReducer(
            self, onProgrammerError: { Issue.report($0.description, at: callSite) })
        let property = Property(
            reducer: reducer, start: state, invariants: invariants, steps: steps)
        var seed = seed ?? .random(in: .min ... .max)
        let seeds = RandomSource(seed: seed)
        for run in 1...max(runs, 1) {
            if let found = property.breach(atMost: length, RandomSource(seed: seed), action) {
                let failure = PropertyFailure(property, found, run: run, seed: seed)
                return Issue.report(failure.description, at: callSite)
            }
            seed = seeds.next()
        }
    }
}
#endif
