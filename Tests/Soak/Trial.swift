// SPDX-License-Identifier: MIT

import Foundation
import Onward

/// Plays a history once, to its very end, and gives the record.
///
/// The history plays until nothing moves any more; then everything must have been notified. Then the
/// store is awaited, shut down and released; then nothing may remain.
struct Trial {
    enum Mode: String { case scheduled, threads }

    let history: History
    let mode: Mode

    func play() -> Record {
        switch mode {
        case .scheduled: playScheduled()
        case .threads: playOnThreads()
        }
    }

    private func playScheduled() -> Record {
        let clock = SoakClock()
        let schedule = Schedule(seed: history.seed, clock: clock)
        CurrentSchedule.shared.schedule = schedule
        TaskHooks.install()
        let stage = Stage(history, clock)
        Stage.current = stage
        stage.begin()
        if !history.travels { schedule.lookAround { stage.lookForOrphans() } }
        for (index, thread) in history.threads.enumerated() {
            switch thread.kind {
            case .thread:
                schedule.add("thread \(index)") {
                    for step in thread.steps { stage.perform(onThread: step) }
                }
            case .task: Task { await stage.play(thread, "task \(index)") }
            case .mainTask: Task { @MainActor in await stage.play(thread, "task \(index)") }
            }
        }
        var outcome = schedule.run()
        if outcome == .rest, history.steersCommitGate {
            schedule.add("the end") { stage.leaveCommitGate() }
            outcome = schedule.run()
        }
        stage.recorder.change { $0.points = schedule.points }
        guard outcome == .rest else { return record(outcome, stage) }
        rest(stage)
        finish(stage)
        outcome = schedule.run()
        stage.recorder.change { $0.points = schedule.points }
        // Once more, for what tasks brought onto the stage after the store had ended.
        stage.release()
        return record(outcome, stage)
    }

    private func record(_ outcome: Schedule.Outcome, _ stage: Stage) -> Record {
        stage.recorder.change { record in
            switch outcome {
            case .rest: break
            case .deadlock(let names): record.deadlock = names
            case .endless: record.isEndless = true
            }
        }
        return stage.recorder.result
    }

    private func playOnThreads() -> Record {
        var random = SplitMix64(seed: history.seed)
        CurrentSchedule.shared.beRestless(oncePer: random.pick([3, 10, 40, 1_000]))
        let clock = SoakClock()
        let stage = Stage(history, clock)
        Stage.current = stage
        stage.begin()
        for (index, thread) in history.threads.enumerated() {
            stage.beginWork()
            switch thread.kind {
            case .thread:
                Thread.detachNewThread {
                    for step in thread.steps { stage.perform(onThread: step) }
                    stage.endWork()
                }
            case .task:
                Task {
                    await stage.play(thread, "task \(index)")
                    stage.endWork()
                }
            case .mainTask:
                Task { @MainActor in
                    await stage.play(thread, "task \(index)")
                    stage.endWork()
                }
            }
        }
        rest(of: stage)
        stage.leaveCommitGate()
        rest(of: stage)
        settle(stage) {
            rest(stage)
            return Checker.faults(of: stage.recorder.result).allSatisfy {
                $0.what.contains("at the end")
            }
        }
        finish(stage)
        settle(stage) {
            Checker.faults(of: stage.recorder.result).isEmpty
        }
        return stage.recorder.result
    }

    /// Waits until every thread has ended, or waits for what need not come, and none goes on for a while.
    private func rest(of stage: Stage) {
        var looks = 0
        settle(stage) {
            looks = stage.isAtRest ? looks + 1 : 0
            return looks > 100
        }
    }

    /// Lets time pass until something is reached, for two seconds at most.
    private func settle(_ stage: Stage, _ isReached: () -> Bool) {
        for _ in 0..<4_000 {
            if isReached() { return }
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.000_5))
            stage.clock.advanceToNext()
        }
    }

    /// Writes down what is there when nothing moves.
    private func rest(_ stage: Stage) {
        guard let store = stage.store else { return }
        let world = store.state
        var values: [Selection: Int] = [:]
        for selection in Selection.tracked { values[selection] = selection.value(in: world) }
        let effects = store.diagnostics.runningEffects.filter { $0.kind != .state }.map(
            \.description)
        let rest = Record.Rest(
            values: values, keepings: stage.recorder.allKeepings,
            expected: Features.expected(in: world), runningEffects: effects,
            features: stage.edition, desk: world.desk,
            refusals: store.diagnostics.refusals.counts.values.reduce(0) { $0 + Int($1) })
        let replayed = replay(store, stage)
        stage.recorder.rests(rest)
        stage.recorder.change { record in
            if !record.entries.isEmpty { record.entries[0].replayed = replayed }
        }
    }

    private func replay(_ store: Store<World>, _ stage: Stage) -> [Selection: Int]? {
        guard history.isObserved, !history.travels else { return nil }
        let entries = stage.recorder.entries
        let keeps = entries.contains {
            if let deed = $0.action as? Deed, case .keep = deed { true } else { false }
        }
        guard !keeps else { return nil }
        let world = stage.replay(entries, from: World(), in: store)
        var values: [Selection: Int] = [:]
        for selection in Selection.tracked { values[selection] = selection.value(in: world) }
        return values
    }

    private func finish(_ stage: Stage) {
        Task {
            if let store = stage.store {
                await store.waitUntilIdle()
                stage.recorder.closes()
                await store.shutdown()
            }
            stage.recorder.ended()
            stage.release()
        }
    }
}
