// SPDX-License-Identifier: MIT

#if Testing
import Onward

/// The text about a sequence of actions that breaks a property.
struct PropertyFailure<State: Sendable>: CustomStringConvertible {
    private let actions: [any Action]
    private let breach: Property<State>.Breach?
    private let found: Int
    private let run: Int
    private let seed: UInt64

    /// Shortens a sequence that was found.
    init(_ property: Property<State>, _ found: [any Action], run: Int, seed: UInt64) {
        var shrinking = Shrinking<any Action> { property.breach(in: $0) != nil }
        let shortest = shrinking.shortest(of: found)
        breach = property.breach(in: shortest)
        actions = Array(shortest.prefix(breach?.count ?? 0))
        self.found = found.count
        self.run = run
        self.seed = seed
    }

    var description: String {
        guard let breach else {
            return """
                The actions of run \(run) broke a property, but not when they were run again. \
                Reducers and properties must depend on nothing but the state and the action.

                \(again)
                """
        }
        guard !actions.isEmpty else {
            return """
                \(breach.problem) in the state before the first action:

                \(TestFailure.dump(breach.after))
                """
        }
        let list = actions.enumerated().map { index, action in
            let lines = TestFailure.dump(action).split(
                separator: "\n", omittingEmptySubsequences: false)
            return " \(index + 1). " + lines.joined(separator: "\n    ")
        }
        return """
            \(breach.problem) after \(actions.count == 1 ? "this action" : "these actions"):

            \(list.joined(separator: "\n"))

            \(change(breach))

            \(found == actions.count ? "" : "Shortened from \(found) actions. ")\(again)
            """
    }

    private func change(_ breach: Property<State>.Breach) -> String {
        guard !TestFailure.areAlike(breach.before, breach.after) else {
            return "The last one changes nothing:\n\n\(TestFailure.dump(breach.after))"
        }
        return """
            What the last one changes:

            \(TestFailure.difference(breach.before, breach.after))

            (Before: -, after: +)
            """
    }

    private var again: String {
        "To see it again in the first run: seed: 0x\(String(seed, radix: 16))."
    }
}
#endif
