// SPDX-License-Identifier: MIT

import Foundation

/// Plays effects of one seed after the other, and compares them with the model.
struct EffectTrials {
    private let arguments: Arguments

    init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    private static let chunk: UInt64 = 250

    /// True when nothing differs.
    func run() -> Bool {
        let end = ContinuousClock.now + .seconds(arguments.number("seconds", 60))
        let last = arguments.seed + UInt64(arguments.number("count", 1_000_000_000))
        var seed = arguments.seed
        repeat {
            let next = min(seed + Self.chunk, last)
            // A process for so many: a crash says which they were.
            let process = forkProcess()
            if process == 0 { exit(Self.agree(seed..<next) ? 0 : 1) }
            var status: Int32 = 0
            waitpid(process, &status, 0)
            if status != 0 {
                if status & 0x7F != 0 {
                    say("✘ the seeds \(seed)..<\(next): signal \(status & 0x7F)")
                }
                return false
            }
            seed = next
        } while ContinuousClock.now < end && seed < last
        say("\(seed - arguments.seed) trees of effects from seed \(arguments.seed), none differed")
        return true
    }

    /// Whether the trials of some seeds are as the model says; prints the smallest that is not.
    private static func agree(_ seeds: Range<UInt64>) -> Bool {
        for seed in seeds {
            let trial = EffectTrial(seed: seed)
            guard trial.difference() != nil else { continue }
            let small = trial.shrunk()
            print("✘ effects of seed \(seed): \(small.difference() ?? "")")
            print(small.text)
            print("Repeat: scripts/soak --effects --seed \(seed) --count 1")
            fflush(nil)
            return false
        }
        return true
    }

    private func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    /// Whether trials notice each mistake in the model, and few are undecided; in a process of its own.
    static func noticeMistakes() -> Bool {
        let process = forkProcess()
        if process == 0 {
            var isGood = true
            for mistake in EffectModel.Mistake.allCases where !isNoticed(mistake) {
                print("✘ no effects notice the mistake \(mistake) in their model")
                isGood = false
            }
            let undecided = (1...1_000 as ClosedRange<UInt64>).count { seed in
                if case .undecided = EffectTrial(seed: seed).verdict() { true } else { false }
            }
            print("of 1,000 trials of effects \(undecided) have too many orders to try them all")
            if undecided > 20 { isGood = false }
            fflush(nil)
            exit(isGood ? 0 : 1)
        }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status == 0
    }

    private static func isNoticed(_ mistake: EffectModel.Mistake) -> Bool {
        (1...2_000 as ClosedRange<UInt64>).contains { seed in
            EffectTrial(seed: seed).difference(mistake) != nil
        }
    }
}
