// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// Plays random histories until the time is over or one has failed; see README.md.
@main
struct Soak {
    static func main() {
        let arguments = Arguments(CommandLine.arguments.dropFirst())
        switch arguments.command {
        // The runtime's locks know the thread that forks by the number that it has in the parent: with several
        // threads in the child, whoever waits for a lock that it holds waits for ever.
        case "run" where arguments.mode == .scheduled: exit(Runner(arguments).run() ? 0 : 1)
        case "run": exit(Runner(arguments).runHere() ? 0 : 1)
        case "run-here": exit(Runner(arguments).runHere() ? 0 : 1)
        case "one": exit(one(arguments) ? 0 : 1)
        case "self-test": exit(SelfTest.run() ? 0 : 1)
        case "cliffs": exit(Cliffs(arguments).run() ? 0 : 1)
        case "effects": exit(EffectTrials(arguments).run() ? 0 : 1)
        default:
            print(
                "usage: Soak run|one|self-test|cliffs|effects [--seconds N] [--seed N] [--mode scheduled|threads] …"
            )
            exit(2)
        }
    }

    /// Plays the history of one seed and shows it.
    private static func one(_ arguments: Arguments) -> Bool {
        let history = Generator.history(of: arguments.seed, about: arguments.interest)
        print(history.text)
        var verdict = Child.judgement(of: history, arguments.mode)
        for _ in 1..<max(arguments.number("times", 1), 1) where verdict.isGood {
            verdict = Child.judgement(of: history, arguments.mode)
        }
        for fault in verdict.faults { print("✘", fault) }
        print(verdict.isGood ? "good" : "failed", "after \(verdict.points) points")
        if !verdict.isGood, arguments.has("shrink") {
            Runner(arguments).shrink(history, verdict)
        }
        return verdict.isGood
    }
}

extension Generator {
    static func history(of seed: UInt64, about interest: Interest? = nil) -> History {
        var generator = Generator(seed: seed, about: interest)
        return generator.history()
    }
}
