// SPDX-License-Identifier: MIT

#if Testing
import Onward

/// What has to hold after every action, whatever actions come.
struct Property<State: Sendable> {
    let reducer: PureReducer<State>
    let start: State
    let invariants: KeyValuePairs<String, (State) throws -> Bool>
    let steps:
        KeyValuePairs<
            String, (_ before: State, _ action: any Action, _ after: State) throws -> Bool
        >

    /// Where a sequence of actions breaks the property.
    struct Breach {
        /// What does not hold, as a clause.
        let problem: String
        /// How many actions it took; 0 when it does not hold at the start.
        let count: Int
        let before: State
        let after: State
    }

    /// The first breach in the course of some actions.
    func breach(in actions: [any Action]) -> Breach? {
        var state = start
        if let problem = problem(of: state) {
            return Breach(problem: problem, count: 0, before: state, after: state)
        }
        for (index, action) in actions.enumerated() {
            if reducer.failure(of: action, on: state) != nil { continue }
            let before = state
            let isHandled = reducer.reduce(&state, action, stamp: Self.stamp(index))
            let problem =
                isHandled
                ? problem(of: state) ?? problem(from: before, action, to: state)
                : "\(action.wireName) is handled by no reducer"
            guard let problem else { continue }
            return Breach(problem: problem, count: index + 1, before: before, after: state)
        }
        return nil
    }

    /// A random sequence that ends with the first breach; nil when there is none.
    func breach(
        atMost length: Int, _ random: RandomSource,
        _ next: (inout RandomSource, State) -> any Action
    ) -> [any Action]? {
        var random = random
        var actions: [any Action] = []
        var state = start
        if problem(of: state) != nil { return [] }
        for index in 0..<length {
            let action = next(&random, state)
            if reducer.failure(of: action, on: state) != nil { continue }
            actions.append(action)
            let before = state
            guard reducer.reduce(&state, action, stamp: Self.stamp(index)),
                problem(of: state) == nil,
                problem(from: before, action, to: state) == nil
            else { return actions }
        }
        return nil
    }

    /// What the action at a position is given: the same whenever a sequence is tried again.
    private static func stamp(_ index: Int) -> Stamp {
        Stamp(
            EntryStamp(
                seed: UInt64(index),
                time: Timestamp(nanosecondsSince1970: Int64(index) * 1_000_000_000)))
    }

    private func problem(of state: State) -> String? {
        for (name, holds) in invariants {
            if let problem = Self.problem(name, { try holds(state) }) { return problem }
        }
        return nil
    }

    private func problem(from before: State, _ action: any Action, to after: State) -> String? {
        for (name, holds) in steps {
            if let problem = Self.problem(name, { try holds(before, action, after) }) {
                return problem
            }
        }
        return nil
    }

    private static func problem(_ name: String, _ holds: () throws -> Bool) -> String? {
        do {
            return try holds() ? nil : "\"\(name)\" does not hold"
        } catch {
            return "\"\(name)\" threw \(error)"
        }
    }
}
#endif
