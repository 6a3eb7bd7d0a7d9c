// SPDX-License-Identifier: MIT

import Foundation

/// Plays the histories of one seed after the other, a few processes at a time.
struct Runner {
    private let arguments: Arguments

    init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    private struct Kind {
        var count = 0
        var seeds: [UInt64] = []
        var example: Judgement
    }

    /// True when nothing has failed.
    func run() -> Bool {
        let end = ContinuousClock.now + .seconds(arguments.number("seconds", 60))
        let last = arguments.seed + UInt64(arguments.number("count", 1_000_000_000))
        let goesOn = arguments.has("all")
        var seed = arguments.seed
        var played = 0
        var points = 0
        var children: [Child] = []
        var kinds: [String: Kind] = [:]
        while (ContinuousClock.now < end && seed < last && (kinds.isEmpty || goesOn))
            || !children.isEmpty
        {
            while children.count < arguments.number("jobs", 2), ContinuousClock.now < end,
                seed < last,
                kinds.isEmpty || goesOn
            {
                children.append(
                    Child(
                        Generator.history(of: seed, about: arguments.interest), arguments.mode,
                        timeout: .seconds(60)))
                seed += 1
            }
            var open: [Child] = []
            for var child in children {
                guard let judgement = child.poll() else {
                    open.append(child)
                    continue
                }
                played += 1
                points += judgement.points
                guard !judgement.isGood else { continue }
                if arguments.has("list") {
                    print("seed \(child.history.seed): \(judgement.faults.first ?? "")")
                }
                var kind = kinds[judgement.kind] ?? Kind(example: judgement)
                kind.count += 1
                if kind.seeds.count < 5 { kind.seeds.append(child.history.seed) }
                kinds[judgement.kind] = kind
            }
            children = open
            usleep(300)
        }
        report(kinds)
        print(
            "\(played) histories from seed \(arguments.seed), \(points) points, \(kinds.values.reduce(0) { $0 + $1.count }) failed"
        )
        if !goesOn, !arguments.has("no-shrink"), let kind = kinds.values.first,
            let seed = kind.seeds.first
        {
            shrink(Generator.history(of: seed, about: arguments.interest), kind.example)
        }
        return kinds.isEmpty
    }

    /// Plays one history after the other in this process, on real threads.
    ///
    /// True when nothing has failed; what a sanitizer finds ends the process.
    func runHere() -> Bool {
        let end = ContinuousClock.now + .seconds(arguments.number("seconds", 60))
        var seed = arguments.seed
        while ContinuousClock.now < end {
            let history = Generator.history(of: seed, about: arguments.interest)
            let faults = Checker.faults(of: Trial(history: history, mode: .threads).play())
            guard faults.isEmpty else {
                print("✘ seed \(seed)")
                print(history.text)
                for fault in faults { print("✘", fault) }
                return false
            }
            seed += 1
        }
        print("\(seed - arguments.seed) histories from seed \(arguments.seed), none failed")
        return true
    }

    private func report(_ kinds: [String: Kind]) {
        for kind in kinds.values.sorted(by: { $0.count > $1.count }) {
            print("✘ \(kind.count) ×, seeds \(kind.seeds.map(String.init).joined(separator: " "))")
            for fault in kind.example.faults.prefix(arguments.number("lines", 4)) {
                print("    \(fault)")
            }
        }
    }

    /// Finds a smaller history that fails in the same way, and prints it.
    func shrink(_ history: History, _ judgement: Judgement) {
        print("Making the history of seed \(history.seed) smaller …")
        let tries = arguments.mode == .scheduled ? 1 : 20
        let shrinker = Shrinker { candidate in
            for _ in 0..<tries {
                let now = Child.judgement(of: candidate, arguments.mode, timeout: .seconds(10))
                if now.kind.prefix(24) == judgement.kind.prefix(24) { return true }
            }
            return false
        }
        let small = shrinker.shrink(history)
        print(small.text)
        for fault in Child.judgement(of: small, arguments.mode).faults.prefix(12) {
            print("✘", fault)
        }
        let about = arguments.interest.map { " --about \($0.rawValue)" } ?? ""
        print(
            "Repeat: scripts/soak --seed \(history.seed)\(about) --mode \(arguments.mode.rawValue)")
    }
}
