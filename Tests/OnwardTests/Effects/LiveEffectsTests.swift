// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardEffects
@testable import TestSupport

/// What lives, waits and comes next, without a task that runs.
@Suite struct LiveEffectsTests {
    private let store = makeDesk { _, _ in .none }
    private let slot = EffectSchedule.Slot(address: .root, id: "save")

    /// A job that is not started.
    private func job(_ key: EffectSchedule.Key, _ effect: Effect = .run {}) -> EffectJob {
        let owner = EffectOwner(
            engine: store.engine, runner: store.engine.effects, kind: .thunk, lifetime: nil,
            address: .root, action: nil, startedBy: 1, order: 0)
        return EffectJob(
            key: key, effect: effect, owner: owner, since: Timestamp(nanosecondsSince1970: 0),
            isAwaited: false, within: nil, waiting: nil)
    }

    private func saving(_ policy: EffectPolicy) -> Effect { .run(id: "save", policy) {} }

    @Test func `an effect without an id lives until it is removed, the others stay`() {
        var live = LiveEffects()
        let jobs = (1...3).map { job(EffectSchedule.Key($0)) }
        let areFinished = jobs.map { live.submitAlone($0).isFinished }
        #expect(areFinished == [false, false, false])
        #expect(live.described.count == 3)
        #expect(!live.isReached(.idle))
        let isAlone = live.remove(jobs[0], hasBegun: true).steps == nil
        #expect(isAlone)
        #expect(live.described.map(\.number) == [2, 3])
        _ = live.remove(jobs[2], hasBegun: true)
        _ = live.remove(jobs[1], hasBegun: true)
        #expect(live.described.isEmpty)
        #expect(live.isReached(.empty))
    }

    @Test func `the end of one in a queue starts the next in the same moment`() throws {
        var live = LiveEffects()
        let (first, second) = (job(1, saving(.queue)), job(2, saving(.queue)))
        let (one, two) = (
            live.submit(first, to: slot, at: .zero), live.submit(second, to: slot, at: .zero)
        )
        #expect(one.all == [.start(1)])
        #expect(two.all == [.wait(2)])
        #expect(live.described.map(\.phase) == [.running, .queued])
        let steps = try #require(live.remove(first, hasBegun: true).steps)
        #expect(steps.all == [.start(2)])
        #expect(live.job(1) == nil)
        #expect(live.job(2) === second)
        #expect(!live.isReached(.idle))
    }

    @Test func `a timer is known until it ends or is given up, even before it has a task`() {
        var live = LiveEffects()
        let effect = saving(.latest).debounce(for: .seconds(1))
        let steps = live.submit(job(1, effect), to: slot, at: .zero)
        guard case .startTimer(_, let number, .seconds(1))? = steps.all.first else {
            Issue.record("No timer: \(steps.all)")
            return
        }
        #expect(live.timerCount == 1)
        let timer = Task {}
        let isKept = live.keep(timer, as: number)
        #expect(isKept)
        let cancelled = live.change { $0.cancel(slot) }
        #expect(cancelled.stopped == [timer])
        #expect(live.timerCount == 0)
        let isKeptLater = live.keep(timer, as: number)
        #expect(!isKeptLater)
    }

    @Test func `effects that wait for others are not in the way of each other, until they go on`() {
        var live = LiveEffects()
        let (one, two) = (job(1), job(2))
        for job in [one, two] { _ = live.submitAlone(job) }
        let served = live.rest([one])
        #expect(served?.isEmpty == true)
        #expect(!live.isReached(.othersIdle))
        _ = live.rest([two])
        #expect(live.isReached(.othersIdle))
        live.goOn([two])
        #expect(!live.isReached(.othersIdle))
        _ = live.remove(two, hasBegun: true)
        let gone = live.rest([two])
        #expect(gone?.isEmpty == nil)
    }

    @Test func `after the end nothing starts any more, and what was dropped is notified`() {
        var live = LiveEffects()
        let (alone, queued, waiting) = (job(1), job(2, saving(.queue)), job(3, saving(.queue)))
        _ = live.submitAlone(alone)
        for job in [queued, waiting] { _ = live.submit(job, to: slot, at: .zero) }
        let (dropped, jobs, steps) = live.finish()
        #expect(dropped.map(\.number) == [1, 2, 3])
        #expect(jobs.map(\.key) == [1])
        #expect(Set(steps.all.map { "\($0)" }) == ["cancel(2)", "drop(3)"])
        let isFinished = live.submitAlone(job(4)).isFinished
        #expect(isFinished)
        let late = live.submit(job(5, saving(.queue)), to: slot, at: .zero)
        #expect(late.all == [.drop(5)])
    }
}
