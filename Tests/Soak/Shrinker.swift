// SPDX-License-Identifier: MIT

import Onward

/// Makes a history that fails smaller, as long as it still fails in the same way.
struct Shrinker {
    /// Whether a history still fails.
    let fails: (History) -> Bool

    /// The smallest history that was found.
    func shrink(_ history: History) -> History {
        var best = history
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in candidates(of: best) where fails(candidate) {
                best = candidate
                isSmaller = true
                break
            }
        }
        return best
    }

    /// Histories with something less: threads first, then steps, then what is inside them.
    private func candidates(of history: History) -> [History] {
        var all: [History] = []
        for thread in history.threads.indices {
            var smaller = history
            smaller.threads.remove(at: thread)
            all.append(smaller)
        }
        for thread in history.threads.indices {
            for step in history.threads[thread].steps.indices {
                var smaller = history
                smaller.threads[thread].steps.remove(at: step)
                all.append(smaller)
            }
        }
        for thread in history.threads.indices {
            for step in history.threads[thread].steps.indices {
                for simpler in simpler(history.threads[thread].steps[step]) {
                    var smaller = history
                    smaller.threads[thread].steps[step] = simpler
                    all.append(smaller)
                }
            }
            if history.threads[thread].kind != .thread {
                var smaller = history
                smaller.threads[thread].kind = .thread
                all.append(smaller)
            }
        }
        if history.middleware != nil {
            var smaller = history
            smaller.middleware = nil
            all.append(smaller)
        }
        return all
    }

    private func simpler(_ step: Step) -> [Step] {
        switch step {
        case .batch(let steps):
            return steps
                + steps.indices.map { index in
                    var fewer = steps
                    fewer.remove(at: index)
                    return .batch(fewer)
                }
        case .subscribe(let listening):
            var all: [Step] = []
            func with(_ change: (inout Step.Listening) -> Void) {
                var simpler = listening
                change(&simpler)
                if simpler != listening { all.append(.subscribe(simpler)) }
            }
            with { $0.reaction = .nothing }
            with { $0.isolation = .nobody }
            with { $0.initially = false }
            with { $0.selection = .x }
            return all
        case .claim(let claiming):
            var simpler = claiming
            (simpler.way, simpler.author) = (.toRoot, nil)
            return simpler == claiming ? [] : [.claim(simpler)]
        case .dispatch(.start(let plan)):
            return plan.steps.indices.map { index in
                var fewer = plan
                fewer.steps.remove(at: index)
                return .dispatch(.start(fewer))
            }
        default: return []
        }
    }
}
