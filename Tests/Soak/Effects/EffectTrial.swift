// SPDX-License-Identifier: MIT

import Onward

/// Effects that are started at some moments, and what came of them.
struct EffectTrial: Sendable {
    /// An action that one of several parts answers with an effect.
    struct Start: Sendable {
        var time: Int
        var part: Int
        var tree: EffectTree
    }

    /// What an outsider sees.
    struct Event: Sendable, Hashable, Comparable, CustomStringConvertible {
        let time: Int
        let text: String

        var description: String { "\(time): \(text)" }

        static func < (left: Event, right: Event) -> Bool {
            (left.time, left.text) < (right.time, right.text)
        }
    }

    static let ids = 2
    static let parts = 2
    /// How long effects go on behind the last start.
    static let rest = 200_000

    let seed: UInt64
    var starts: [Start]
    var timings: [GateName: [GateTiming]]

    /// How long it is looked at.
    var end: Int { (starts.last?.time ?? 0) + Self.rest }

    func timing(of name: GateName, at level: Int) -> GateTiming {
        let timings = timings[name] ?? []
        return timings[min(level, timings.count - 1)]
    }

    /// What the effects at work and those that wait look like, in any order.
    static func phases(_ phases: [RunningEffect.Phase]) -> String {
        "at rest: " + phases.map { "\($0)" }.sorted().joined(separator: " ")
    }

    /// How what was seen compares with the model.
    enum Verdict {
        /// It is what the model does in one of the orders, the number of which were tried.
        case same(tries: Int)
        /// It is what the model does in none of them; the first event that only one of the two saw.
        case different(String)
        /// There are too many orders to try them all.
        case undecided
    }

    /// How many orders are tried.
    private static let mostTries = 4_000

    func verdict(_ mistake: EffectModel.Mistake? = nil) -> Verdict {
        let seen = EffectStage(self).play().sorted()
        var orders = EffectOrders()
        var (latest, difference) = (-1, "")
        for number in 1...Self.mostTries {
            let model = EffectModel(self, mistake, in: orders)
            model.run()
            let expected = model.events.sorted()
            if seen == expected { return .same(tries: number) }
            let index = zip(seen, expected).prefix { $0 == $1 }.count
            let (came, wanted) = (seen.dropFirst(index).first, expected.dropFirst(index).first)
            let time = min(came?.time ?? .max, wanted?.time ?? .max)
            // That of the order that agrees for the longest time says most.
            if time > latest {
                func text(_ event: Event?) -> String { event?.description ?? "nothing more" }
                (latest, difference) = (time, "expected \(text(wanted)), came \(text(came))")
            }
            orders = model.orders
            if !orders.advance(until: time) { return .different(difference) }
        }
        return .undecided
    }

    /// The first event that only one of the two saw; nil where they agree, or where that can't be said.
    func difference(_ mistake: EffectModel.Mistake? = nil) -> String? {
        if case .different(let difference) = verdict(mistake) { difference } else { nil }
    }

    var text: String {
        let gates = timings.map { name, timings in
            "    gates of \(name): "
                + timings.map { timing in
                    (timing.edge.map { "throttle .\($0)" } ?? "debounce") + " \(timing.duration)"
                }.joined(separator: ", ")
        }
        return
            (gates.sorted()
            + starts.map { "    at \($0.time), part \($0.part): \($0.tree)" })
            .joined(separator: "\n")
    }
}

extension EffectTrial {
    /// The trial of a seed.
    init(seed: UInt64) {
        var generator = TreeGenerator(seed: seed)
        self = generator.trial(seed)
    }

    /// Makes trees.
    private struct TreeGenerator {
        private var random: SplitMix64
        private var serial = 0

        init(seed: UInt64) {
            random = SplitMix64(seed: seed &* 0x9E37_79B9 &+ 17)
        }

        mutating func trial(_ seed: UInt64) -> EffectTrial {
            var timings: [GateName: [GateTiming]] = [:]
            for id in 0..<EffectTrial.ids { timings[.id(id)] = gateTimings() }
            for part in 0..<EffectTrial.parts { timings[.part(part)] = gateTimings() }
            var time = 0
            let starts = (0..<(2 + random.below(6))).map { _ in
                time += duration(upTo: 40_000)
                return Start(
                    time: time, part: random.below(EffectTrial.parts),
                    tree: random.oneIn(10) ? .cancel(random.below(EffectTrial.ids)) : tree(0))
            }
            return EffectTrial(seed: seed, starts: starts, timings: timings)
        }

        private mutating func duration(upTo longest: Int) -> Int {
            longest / 20 + random.below(longest)
        }

        private mutating func gateTimings() -> [GateTiming] {
            (0..<3).map { _ in
                GateTiming(
                    edge: random.pick([nil, nil, .leading, .trailing, .both]),
                    duration: duration(upTo: 40_000))
            }
        }

        private mutating func tree(_ depth: Int) -> EffectTree {
            var tree: EffectTree
            switch random.below(8 + depth * 4) {
            case 0, 1: tree = .merge((0..<(2 + random.below(2))).map { _ in self.tree(depth + 1) })
            case 2, 3: tree = sequence(depth)
            default: tree = .work(work())
            }
            for _ in 0..<random.pick([0, 0, 1, 1, 2, 3]) {
                switch random.below(6) {
                case 0, 1, 2:
                    if tree.gateCount < 3 { tree = .gated(tree) }
                case 3:
                    if tree.canBeWrapped { tree = .timeout(duration(upTo: 80_000), tree) }
                case 4:
                    if tree.canBeWrapped {
                        tree = .retry(
                            attempts: 2 + random.below(2), pause: duration(upTo: 20_000), tree)
                    }
                default:
                    if tree.canBeWrapped { tree = .repeated(duration(upTo: 60_000), tree) }
                }
            }
            return tree
        }

        /// Steps one after the other; the first is plain work, so that two sequences which begin together don't
        /// come to their other steps at one moment.
        private mutating func sequence(_ depth: Int) -> EffectTree {
            var first = work()
            first = EffectTree.Work(
                serial: first.serial, duration: first.duration,
                failures: random.oneIn(6) ? first.failures : 0)
            let others = (0..<(1 + random.below(2))).map { _ in
                random.oneIn(6)
                    ? EffectTree.cancel(random.below(EffectTrial.ids)) : tree(depth + 1)
            }
            return .sequence([.work(first)] + others)
        }

        private mutating func work() -> EffectTree.Work {
            serial += 1
            return EffectTree.Work(
                serial: serial, id: random.pick([nil, nil, 0, 0, 1]),
                policy: random.pick([.concurrent, .concurrent, .latest, .dropping, .queue]),
                duration: duration(upTo: 60_000),
                failures: random.pick([0, 0, 0, 0, 0, 1, 1, 2, 9]), hasHandler: random.oneIn(3),
                hasCancellation: random.oneIn(2))
        }
    }
}

extension EffectTrial {
    /// The same with as little as leaves the difference.
    func shrunk(_ mistake: EffectModel.Mistake? = nil) -> EffectTrial {
        var small = self
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in small.smaller where candidate.difference(mistake) != nil {
                small = candidate
                isSmaller = true
                break
            }
        }
        return small
    }

    private var smaller: [EffectTrial] {
        starts.indices.flatMap { index -> [EffectTrial] in
            var without = self
            without.starts.remove(at: index)
            return [without]
                + starts[index].tree.smaller.map { tree in
                    var trial = self
                    trial.starts[index].tree = tree
                    return trial
                }
        }
    }
}

extension EffectTree {
    /// Trees that are a little smaller.
    fileprivate var smaller: [EffectTree] {
        switch self {
        case .work(let work): work.plainer.map { .work($0) }
        case .cancel: []
        case .merge(let parts):
            parts + Self.shorter(parts).map { .merge($0) }
        case .sequence(let parts):
            [parts[0]] + Self.shorter(parts).filter { $0.first == parts[0] }.map { .sequence($0) }
        case .gated(let tree): [tree] + tree.smaller.map { .gated($0) }
        case .timeout(let duration, let tree):
            [tree] + tree.smaller.map { .timeout(duration, $0) }
        case .retry(let attempts, let pause, let tree):
            [tree] + tree.smaller.map { .retry(attempts: attempts, pause: pause, $0) }
        case .repeated(let interval, let tree):
            [tree] + tree.smaller.map { .repeated(interval, $0) }
        }
    }

    private static func shorter(_ parts: [EffectTree]) -> [[EffectTree]] {
        let without = parts.indices.map { index in
            Array(parts[..<index] + parts[(index + 1)...])
        }
        let changed = parts.indices.flatMap { index in
            parts[index].smaller.map { part in
                var parts = parts
                parts[index] = part
                return parts
            }
        }
        return without.filter { !$0.isEmpty } + changed
    }
}

extension EffectTree.Work {
    fileprivate var plainer: [EffectTree.Work] {
        func changed(_ change: (inout EffectTree.Work) -> Void) -> EffectTree.Work {
            var work = self
            change(&work)
            return work
        }
        return [
            changed { $0.hasHandler = false }, changed { $0.hasCancellation = false },
            changed { $0.failures = 0 }, changed { $0.policy = .concurrent },
            changed { $0.id = nil },
        ].filter { $0 != self }
    }
}
