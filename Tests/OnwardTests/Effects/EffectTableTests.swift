// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardEffects
@testable import TestSupport

private typealias Table = EffectTable<Int, String, String>

private let slot = EffectSlot(instance: .plain(.root), name: .text("a"))
private let other = EffectSlot(instance: .plain(.root), name: .text("b"))

/// A table whose effects are called by their numbers.
private struct Numbered {
    var table = Table()
    var keys: [Int: Table.Key] = [:]

    mutating func add(
        _ job: Int, to slot: EffectSlot? = slot, _ policy: EffectPolicy = .concurrent,
        _ timings: EffectTiming..., inner: Bool = false, isNamed: Bool = true,
        of version: CommitVersion? = nil, blocksIdle: Bool = true, within whole: Int? = nil,
        at now: Duration = .zero
    ) -> [Table.Step] {
        var traits = Table.Traits(version: version, blocksIdle: blocksIdle)
        if let whole { (traits.whole, traits.isPart) = (keys[whole], true) }
        traits.place = slot.map { slot in
            let gates = timings.enumerated().map { index, timing in
                EffectGate(level: timings.count - 1 - index + (inner ? 1 : 0), timing: timing)
            }
            return EffectPlace(
                slot: slot, policy: policy, isNamed: isNamed, gates: gates, hasInnerGate: inner)
        }
        let (key, steps) = table.add(job, traits, at: now)
        keys[job] = key
        return steps
    }

    mutating func end(_ job: Int) -> [Table.Step] { keys[job].map { table.remove($0) } ?? [] }
    mutating func cancel(_ job: Int) -> [Table.Step] { keys[job].map { table.cancel($0) } ?? [] }
    mutating func leave(_ job: Int) -> [Table.Step] { keys[job].map { table.leave($0) } ?? [] }

    mutating func offer(_ job: Int, _ gate: EffectGate, at now: Duration = .zero) -> [Table.Step] {
        keys[job].map { table.offer($0, to: gate, at: now) } ?? []
    }

    mutating func timerEnded(
        _ number: UInt64, of slot: EffectSlot = slot, level: Int = 0, at now: Duration
    ) -> [Table.Step] {
        table.timerEnded(number, of: EffectGateID(slot: slot, level: level), at: now)
    }

    mutating func rest(_ jobs: Int..., on target: Table.Target? = nil) -> [Table.Step]? {
        table.rest(jobs.compactMap { keys[$0] }, on: target)
    }

    mutating func goOn(_ jobs: Int..., from target: Table.Target? = nil) {
        table.goOn(jobs.compactMap { keys[$0] }, from: target)
    }

    func phase(of job: Int) -> RunningEffect.Phase? { keys[job].flatMap { table[$0]?.phase } }
}

private func timer(
    _ number: UInt64, _ duration: Duration = .seconds(3), of slot: EffectSlot = slot, level: Int = 0
) -> Table.Step {
    .startTimer(EffectGateID(slot: slot, level: level), number: number, duration)
}

/// The machine alone, who starts when: events in, steps out.
@Suite struct EffectLaneTests {
    private var effects = Numbered()

    @Test
    mutating func `concurrent starts at once, and so does what has no name`() {
        #expect(effects.add(1) == [.go(1)])
        #expect(effects.add(2) == [.go(2)])
        #expect(effects.add(3, to: nil) == [.go(3)])
        #expect(effects.table.list.map(\.job) == [1, 2, 3])
    }

    @Test
    mutating func `latest cancels before it starts, once each`() {
        _ = effects.add(1)
        _ = effects.add(2)
        _ = effects.add(9, to: other)
        #expect(effects.add(3, .latest) == [.cancel(1), .cancel(2), .go(3)])
        #expect(effects.add(4, .latest) == [.cancel(3), .go(4)])
        #expect(effects.phase(of: 1) == .cancelled)
        #expect(effects.end(1) == [])
        #expect(effects.phase(of: 1) == nil)
        #expect(effects.phase(of: 9) == .running)
    }

    @Test
    mutating func `latest ends older ones at a gate or between gates, not newer ones`() {
        let throttle = EffectTiming.throttle(.seconds(3), .trailing)
        _ = effects.add(1, .latest, throttle)
        #expect(effects.add(2, .latest, inner: true) == [.go(2)])
        _ = effects.add(3, .latest, throttle, .throttle(.seconds(3), .leading))
        #expect(effects.phase(of: 3) == .waiting)
        #expect(effects.add(4, .latest) == [.drop(1), .cancel(2), .drop(3), .go(4)])
        _ = effects.add(5, .latest, throttle)
        #expect(effects.phase(of: 4) == .running)
    }

    @Test
    mutating func `latest ends older ones when a debounce begins, by those that have yet to start`()
    {
        let timing = EffectTiming.debounce(.seconds(3))
        _ = effects.add(1, .latest)
        _ = effects.add(2, .queue)
        #expect(effects.add(3, .latest, timing) == [.cancel(1), .drop(2), timer(1)])
        #expect(effects.add(4, .concurrent, timing) == [.drop(3), timer(2)])
        #expect(effects.timerEnded(2, at: .seconds(3)) == [.go(4)])
    }

    @Test
    mutating func `dropping looks at what runs, not at what was cancelled`() {
        _ = effects.add(1, .dropping)
        #expect(effects.add(2, .dropping) == [.drop(2)])
        #expect(effects.table.cancel(slot) == [.cancel(1)])
        #expect(effects.add(3, .dropping) == [.go(3)])
    }

    @Test
    mutating func `a queue goes on when the one before has ended, also a cancelled one`() {
        #expect(effects.add(1, .queue) == [.go(1)])
        #expect(effects.add(2, .queue) == [])
        #expect(effects.add(3, .queue) == [])
        #expect(effects.cancel(1) == [.cancel(1)])
        #expect(effects.cancel(1) == [])
        #expect(effects.end(1) == [.go(2)])
        #expect(effects.cancel(3) == [.drop(3)])
        #expect(effects.end(2) == [])
    }

    @Test
    mutating func `latest drops the queue`() {
        _ = effects.add(1, .queue)
        _ = effects.add(2, .queue)
        #expect(effects.add(3, .latest) == [.cancel(1), .drop(2), .go(3)])
    }

    @Test
    mutating func `a pause holds queues, and not what comes at once`() {
        _ = effects.add(1, .queue)
        _ = effects.add(2, .queue)
        effects.table.pause()
        #expect(effects.end(1) == [])
        #expect(effects.add(3, to: other) == [.go(3)])
        #expect(effects.table.resume(at: .zero) == [.go(2)])
    }

    @Test
    mutating func `what waits for a timer that ends in a pause starts with the resumption`() {
        _ = effects.add(1, .concurrent, .debounce(.seconds(3)))
        _ = effects.add(2, to: other, .concurrent, .throttle(.seconds(3), .trailing))
        effects.table.pause()
        #expect(effects.timerEnded(1, at: .seconds(3)) == [])
        #expect(effects.timerEnded(2, of: other, at: .seconds(3)) == [])
        #expect(effects.phase(of: 1) == .waiting)
        let steps = effects.table.resume(at: .seconds(9))
        #expect(steps.contains(.go(1)) && steps.contains(.go(2)))
        // The next one of the throttle waits from here on.
        #expect(steps.contains(timer(3, of: other)))
        #expect(steps.count == 3)
    }

    @Test
    mutating func `a newer one replaces what waits in a pause without a timer`() {
        _ = effects.add(1, .concurrent, .throttle(.seconds(3), .trailing))
        effects.table.pause()
        _ = effects.timerEnded(1, at: .seconds(3))
        #expect(effects.add(2, .concurrent, .throttle(.seconds(3), .both)) == [.drop(1)])
        #expect(effects.table.cancel(slot) == [.drop(2)])
        #expect(effects.table.resume(at: .seconds(9)) == [])
    }

    @Test
    mutating func `debounce starts a timer for each, and lets the newest pass`() {
        let timing = EffectTiming.debounce(.seconds(3))
        #expect(effects.add(1, .latest, timing) == [timer(1)])
        let isKept = effects.table.keep("1", as: 1)
        #expect(isKept)
        #expect(
            effects.add(2, .latest, timing, at: .seconds(2))
                == [.stopTimer("1"), .drop(1), timer(2)])
        #expect(effects.timerEnded(1, at: .seconds(3)) == [])
        #expect(effects.timerEnded(2, at: .seconds(5)) == [.go(2)])
        #expect(effects.timerEnded(2, at: .seconds(5)) == [])
    }

    @Test
    mutating func `a timer that is over by the clock counts before its end is reported`() {
        let debounce = EffectTiming.debounce(.seconds(3))
        _ = effects.add(1, .concurrent, debounce)
        #expect(effects.add(2, .concurrent, debounce, at: .seconds(3)) == [.go(1), timer(2)])
        #expect(effects.timerEnded(1, at: .seconds(3)) == [])
        let throttle = EffectTiming.throttle(.seconds(3), .leading)
        _ = effects.add(3, to: other, .concurrent, throttle)
        #expect(
            effects.add(4, to: other, .concurrent, throttle, at: .seconds(2)) == [.drop(4)])
        #expect(
            effects.add(5, to: other, .concurrent, throttle, at: .seconds(3))
                == [timer(4, of: other), .go(5)])
    }

    @Test
    mutating func `throttle, both: keeps the newest, and begins a new duration with it`() {
        let timing = EffectTiming.throttle(.seconds(3), .both)
        #expect(effects.add(1, .concurrent, timing) == [timer(1), .go(1)])
        #expect(effects.add(2, .concurrent, timing) == [])
        #expect(effects.add(3, .concurrent, timing) == [.drop(2)])
        #expect(effects.timerEnded(1, at: .seconds(3)) == [timer(2), .go(3)])
        #expect(effects.timerEnded(2, at: .seconds(6)) == [])
        #expect(effects.add(4, .concurrent, timing, at: .seconds(6)) == [timer(3), .go(4)])
    }

    @Test
    mutating func `gates are passed from the outermost to the innermost, then the policy`() {
        let timings = (
            EffectTiming.throttle(.seconds(1), .leading), EffectTiming.debounce(.seconds(3))
        )
        _ = effects.add(1, .queue)
        #expect(
            effects.add(2, .queue, timings.0, timings.1)
                == [timer(1, .seconds(1), level: 1), timer(2)])
        #expect(effects.phase(of: 2) == .waiting)
        #expect(effects.add(3, .queue, timings.0, timings.1) == [.drop(3)])
        #expect(effects.timerEnded(1, level: 1, at: .seconds(1)) == [])
        #expect(effects.timerEnded(2, at: .seconds(3)) == [])
        #expect(effects.phase(of: 2) == .queued)
        #expect(effects.end(1) == [.go(2)])
    }

    @Test
    mutating func `a gate further inside is passed in the task, and the policy behind it once`() {
        _ = effects.add(1, .latest)
        #expect(effects.add(2, .latest, inner: true) == [.go(2)])
        let gate = EffectGate(level: 0, timing: .debounce(.seconds(3)))
        #expect(effects.offer(2, gate) == [.cancel(1), timer(1)])
        #expect(effects.timerEnded(1, at: .seconds(3)) == [.go(2)])
        // The policy granted it already.
        _ = effects.add(3, .queue)
        #expect(effects.offer(2, gate, at: .seconds(4)) == [timer(2)])
        #expect(effects.timerEnded(2, at: .seconds(7)) == [.go(2)])
        #expect(effects.offer(2, gate, at: .seconds(8)) == [timer(3)])
        #expect(effects.leave(2) == [.drop(2)])
        #expect(effects.leave(2) == [])
        #expect(effects.phase(of: 2) == .running)
        #expect(effects.cancel(2) == [.cancel(2)])
        #expect(effects.offer(2, gate, at: .seconds(9)) == [.drop(2)])
        _ = effects.end(1)
        #expect(effects.end(2) == [.go(3)])
    }

    @Test
    mutating func `what is only held by gates is in the way of none of its name`() {
        _ = effects.add(1, .concurrent, .throttle(.seconds(3), .leading), isNamed: false)
        #expect(effects.add(2, .queue) == [.go(2)])
        #expect(effects.add(3, .latest) == [.cancel(2), .go(3)])
        #expect(effects.phase(of: 1) == .running)
    }

    @Test
    mutating func `cancelling a name drops what waits at the gate, and its timer`() {
        _ = effects.add(1, .concurrent, .debounce(.seconds(3)))
        let isKept = effects.table.keep("1", as: 1)
        #expect(isKept && effects.table.timers.count == 1)
        #expect(effects.table.cancel(slot) == [.stopTimer("1"), .drop(1)])
        #expect(effects.table.timers.isEmpty)
        let isKeptLater = effects.table.keep("1", as: 1)
        #expect(!isKeptLater)
        #expect(effects.timerEnded(1, at: .seconds(3)) == [])
    }

    @Test
    mutating func `finish cancels and drops all, and nothing starts any more`() {
        _ = effects.add(1, .queue)
        _ = effects.add(2, .queue)
        _ = effects.add(3, to: other)
        _ = effects.add(4, to: other, .concurrent, .debounce(.seconds(3)))
        _ = effects.add(5, to: nil)
        let steps = effects.table.finish()
        #expect(steps == [.cancel(1), .drop(2), .cancel(3), .drop(4), .cancel(5)])
        #expect(effects.table.timers.isEmpty)
        #expect(effects.add(6) == [.drop(6)])
        #expect(effects.add(7, to: nil) == [.drop(7)])
        #expect(effects.end(1) == [])
        #expect(effects.end(3) == [])
        #expect(effects.table.resume(at: .zero) == [])
    }

    @Test
    func `whatever happens, none is lost, started twice, or ended before it started`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var effects = Numbered()
            var begun: Set<Int> = []
            var over: Set<Int> = []
            var held: Set<Int> = []
            var timers: [UInt64: EffectGateID] = [:]
            var last = 0
            func take(_ steps: [Table.Step]) {
                for step in steps {
                    switch step {
                    case .go(let job):
                        #expect(!over.contains(job))
                        #expect(held.remove(job) != nil || begun.insert(job).inserted)
                    case .cancel(let job): #expect(begun.contains(job) && !over.contains(job))
                    case .drop(let job), .refuse(let job, _):
                        #expect(!over.contains(job))
                        if held.remove(job) == nil { #expect(!begun.contains(job)) }
                        over.insert(job)
                        take(effects.end(job))
                    case .startTimer(let gate, let number, _):
                        // One that was stopped in the same event is not kept.
                        guard effects.table.keep("\(number)", as: number) else { break }
                        #expect(!timers.values.contains(gate))
                        timers[number] = gate
                    case .stopTimer(let timer):
                        #expect(UInt64(timer).flatMap { timers.removeValue(forKey: $0) } != nil)
                    case .confuse, .resume: break
                    }
                }
            }
            let policies: [EffectPolicy] = [.concurrent, .latest, .dropping, .queue]
            let timings: [EffectTiming] = [
                .debounce(.seconds(2)), .throttle(.seconds(2), .leading),
                .throttle(.seconds(2), .trailing), .throttle(.seconds(2), .both),
            ]
            for moment in 0..<60 {
                let now = Duration.seconds(moment / 3)
                let slot = Bool.random(using: &random) ? slot : other
                let timing = timings.randomElement(using: &random) ?? timings[0]
                switch Int.random(in: 0..<11, using: &random) {
                case 0...3:
                    last += 1
                    let policy = policies.randomElement(using: &random) ?? .concurrent
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: take(effects.add(last, to: slot, policy, at: now))
                    case 1: take(effects.add(last, to: slot, policy, timing, at: now))
                    case 2:
                        take(effects.add(last, to: slot, policy, timing, timing, at: now))
                    default: take(effects.add(last, to: slot, policy, inner: true, at: now))
                    }
                case 4...5:
                    let free = begun.subtracting(over).subtracting(held)
                    if let job = free.sorted().randomElement(using: &random) {
                        over.insert(job)
                        take(effects.end(job))
                    }
                case 6: take(effects.table.cancel(slot))
                case 7:
                    if let (number, gate) = timers.min(by: { $0.key < $1.key }) {
                        timers[number] = nil
                        take(effects.table.timerEnded(number, of: gate, at: now + .seconds(9)))
                    }
                case 8:
                    let free = begun.subtracting(over).subtracting(held)
                    if let job = free.sorted().randomElement(using: &random) {
                        held.insert(job)
                        take(effects.offer(job, EffectGate(level: 0, timing: timing), at: now))
                    }
                case 9:
                    if let job = held.sorted().randomElement(using: &random) {
                        let steps = effects.leave(job)
                        #expect(steps.contains(.drop(job)))
                        held.remove(job)
                        take(steps.filter { $0 != .drop(job) })
                    }
                default:
                    if Bool.random(using: &random) {
                        effects.table.pause()
                    } else {
                        take(effects.table.resume(at: now))
                    }
                }
            }
            take(effects.table.finish())
            for job in begun.subtracting(over) {
                over.insert(job)
                take(effects.end(job))
            }
            #expect(over.count == last)
            #expect(timers.isEmpty)
            #expect(effects.table.lanes.isEmpty)
            #expect(effects.table.isReached(.empty))
        }
    }
}

/// The machine alone, who waits for what.
@Suite struct EffectRestTests {
    private var effects = Numbered()

    private mutating func wait(for goal: Table.Goal, _ name: String) -> Bool {
        let number = effects.table.nextWaiter()
        return effects.table.wait(for: goal, number, name)
    }

    @Test
    mutating func `each waits for its own goal`() {
        for (job, version) in [(1, 7), (2, 7), (3, 8)] {
            _ = effects.add(job, to: nil, of: CommitVersion(version))
        }
        _ = effects.add(4, to: nil, of: 9, blocksIdle: false)
        #expect(wait(for: .end(of: 7), "entry"))
        #expect(wait(for: .idle, "idle"))
        #expect(wait(for: .empty, "empty"))
        #expect(effects.end(1) == [])
        #expect(effects.end(2) == [.resume("entry")])
        #expect(effects.end(3) == [.resume("idle")])
        #expect(effects.end(4) == [.resume("empty")])
        #expect(!wait(for: .empty, "late"))
    }

    @Test
    mutating func `effects that are still to be made count as those of their entry`() {
        effects.table.expect(7)
        #expect(!effects.table.isReached(.end(of: 7)))
        #expect(effects.table.isReached(.end(of: 8)))
        #expect(!effects.table.isReached(.idle))
        #expect(wait(for: .end(of: 7), "entry"))
        _ = effects.add(1, to: nil, of: 7)
        #expect(effects.table.responded(to: 7) == [])
        #expect(effects.end(1) == [.resume("entry")])
    }

    @Test
    mutating func `an effect that waits for effects is not waited for by another that does`() {
        _ = effects.add(1, to: nil)
        _ = effects.add(2, to: nil)
        #expect(wait(for: .idle, "outside"))
        #expect(effects.rest(1) == [])
        #expect(wait(for: .othersIdle, "one"))
        #expect(effects.rest(2) == [.resume("one")])
        #expect(effects.table.isReached(.othersIdle))
        effects.goOn(1)
        #expect(!effects.table.isReached(.othersIdle))
        #expect(wait(for: .othersIdle, "two"))
        #expect(effects.end(1) == [.resume("two")])
        effects.goOn(2)
        #expect(effects.end(2) == [.resume("outside")])
        #expect(effects.rest(2) == nil)
    }

    @Test
    mutating func `an effect that waits twice is at work when both waits are over`() {
        _ = effects.add(1, to: nil)
        _ = effects.add(2, to: nil, blocksIdle: false)
        for job in [1, 2, 1] { _ = effects.rest(job) }
        for job in [1, 2] { effects.goOn(job) }
        #expect(effects.table.isReached(.othersIdle))
        effects.goOn(1)
        #expect(!effects.table.isReached(.othersIdle))
        _ = effects.rest(1)
        _ = effects.end(1)
        _ = effects.add(3, to: nil)
        effects.goOn(1)
        #expect(!effects.table.isReached(.othersIdle))
    }

    @Test
    mutating func `what is queued is not at work, nor what waits for its part`() {
        _ = effects.add(1, .queue)
        _ = effects.add(2, .queue)
        _ = effects.rest(1)
        #expect(effects.table.isReached(.othersIdle))
        #expect(effects.end(1) == [.go(2)])
        #expect(!effects.table.isReached(.othersIdle))
        _ = effects.add(3, to: nil, within: 2)
        _ = effects.rest(3)
        #expect(effects.table.isReached(.othersIdle))
        _ = effects.end(3)
        #expect(!effects.table.isReached(.othersIdle))
    }

    @Test
    mutating func `a task that gives up is not resumed`() {
        _ = effects.add(1, to: nil)
        #expect(wait(for: .idle, "a"))
        #expect(wait(for: .idle, "b"))
        #expect(effects.table.cancelWait(.idle, 1) == "a")
        #expect(effects.table.cancelWait(.idle, 1) == nil)
        #expect(effects.end(1) == [.resume("b")])
    }

    @Test
    mutating func `none is queued behind one that waits for it`() {
        _ = effects.add(1, .queue)
        _ = effects.rest(1, on: .effectsOf(5))
        #expect(effects.add(2, .queue, of: 5) == [.refuse(2, behind: 1)])
        _ = effects.end(2)
        // Nor behind one that waits for an effect that waits for it.
        _ = effects.add(3, to: nil, of: 5)
        _ = effects.rest(3, on: .effectsOf(6))
        #expect(effects.add(4, .queue, of: 6) == [.refuse(4, behind: 1)])
        _ = effects.end(4)
        #expect(effects.add(5, .queue, of: 7) == [])
        effects.goOn(1, from: .effectsOf(5))
        #expect(effects.add(6, .queue, of: 5) == [])
        #expect(effects.end(1) == [.go(5)])
    }

    @Test
    mutating func `one that is queued already is refused when the first begins to wait`() {
        _ = effects.add(1, .queue)
        _ = effects.add(2, .queue, of: 5)
        _ = effects.add(3, .queue, of: 6)
        #expect(effects.rest(1, on: .effectsOf(5)) == [.refuse(2, behind: 1)])
        #expect(effects.phase(of: 3) == .queued)
        #expect(effects.table.isReached(.othersIdle) == false)
        _ = effects.end(2)
        #expect(effects.table.isReached(.othersIdle))
        #expect(effects.end(1) == [.go(3)])
    }
}

/// What events cost, in effects that are looked at, not in time.
@Suite struct EffectCostTests {
    /// How many effects were looked at for each of a number of effects, by a run of events.
    private func visits(_ count: Int, _ events: (inout Numbered) -> Void) -> Int {
        var effects = Numbered()
        events(&effects)
        return effects.table.visits / count
    }

    @Test(arguments: [EffectPolicy.concurrent, .latest, .dropping, .queue])
    func `starts, the cancelling of all and their ends cost the same for each of many`(
        policy: EffectPolicy
    ) {
        func perEffect(_ count: Int) -> Int {
            visits(count) { effects in
                for job in 0..<count { _ = effects.add(job, policy) }
                _ = effects.table.cancel(slot)
                for job in (0..<count).reversed() { _ = effects.end(job) }
                #expect(effects.table.lanes.isEmpty)
            }
        }
        #expect(perEffect(2_000) <= max(perEffect(20), 4))
    }

    @Test
    func `so it is for effects that take each other's place at a gate inside them`() {
        func perEffect(_ count: Int) -> Int {
            let gate = EffectGate(level: 0, timing: .debounce(.seconds(3)))
            return visits(count) { effects in
                for job in 0..<count { _ = effects.add(job, .latest, inner: true) }
                for job in 0..<count { _ = effects.offer(job, gate) }
                #expect(effects.phase(of: count - 1) == .waiting)
            }
        }
        #expect(perEffect(2_000) <= max(perEffect(20), 4))
    }

    @Test
    func `and for effects of one queue that each wait for an action's effects`() {
        func perEffect(_ count: Int) -> Int {
            visits(count) { effects in
                for job in 0..<count { _ = effects.add(job, .queue, of: UInt64(job)) }
                for job in 0..<count {
                    let target = Table.Target.effectsOf(UInt64(job + count))
                    _ = effects.rest(job, on: target)
                    effects.goOn(job, from: target)
                    _ = effects.end(job)
                }
            }
        }
        #expect(perEffect(2_000) <= perEffect(20) + 1)
    }

    @Test
    func `and for many that wait at the same time`() {
        func perEffect(_ count: Int) -> Int {
            visits(count) { effects in
                for job in 0..<count { _ = effects.add(job, to: nil, of: UInt64(job)) }
                for job in 0..<count {
                    _ = effects.rest(job, on: .effectsOf(UInt64(job + count)))
                }
                for job in 0..<count { _ = effects.end(job) }
                #expect(effects.table.links.isEmpty)
            }
        }
        #expect(perEffect(2_000) <= perEffect(20) + 1)
    }
}
