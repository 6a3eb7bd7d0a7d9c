// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Synchronization

/// Plays a trial in a store: on one thread, so that nothing happens by chance, and on a clock that stands still while
/// anything can run.
final class EffectStage: Sendable {
    private struct State: Sendable { var answers = 0 }

    private enum Deed: Action {
        case start(part: Int, EffectTree)
        case answer(serial: Int)
    }

    private struct Broken: Error { let serial: Int }

    private let trial: EffectTrial
    private let clock = SoakClock()
    private let turns = Turns()
    private let events = Mutex<[EffectTrial.Event]>([])
    private let attempts = Mutex<[Int: Int]>([:])
    private let isEnded = Ending()

    init(_ trial: EffectTrial) {
        self.trial = trial
    }

    /// What is seen; nothing is expected of the store's own end.
    func play() -> [EffectTrial.Event] {
        let store = makeStore()
        for start in trial.starts {
            advance(to: start.time)
            note(EffectTrial.phases(store.diagnostics.runningEffects.map(\.phase)))
            store.dispatch(Deed.start(part: start.part, start.tree), isolation: nil)
            turns.run()
        }
        advance(to: trial.end)
        note(EffectTrial.phases(store.diagnostics.runningEffects.map(\.phase)))
        Task(executorPreference: turns) { [isEnded] in
            await store.shutdown()
            isEnded.reach()
        }
        turns.run()
        if !isEnded.isReached { note("the store has not ended") }
        return events.withLock { $0 }
    }

    private func makeStore() -> Store<State> {
        let options = StoreOptions(
            clock: clock,
            onProgrammerError: { [self] mistake in
                // Trees have parts without ids, as chance has it.
                if mistake.kind != .effectsWithoutIDs { note("mistake \(mistake.kind)") }
            },
            effectError: { [self] failure in
                note("failed \(Self.name(of: failure.error))")
            }, effectExecutor: turns)
        return Store(State(), options: options) {
            Reduce { [self] (state: inout State, deed: Deed) in
                guard case .answer(let serial) = deed else { return }
                state.answers += 1
                note("answer of \(serial)")
            }
            for part in 0..<EffectTrial.parts {
                OnAction { [self] (deed: Deed, context: EffectContext<State>) -> Effect in
                    guard case .start(part, let tree) = deed else { return .none }
                    return effect(tree, in: part, context)
                }
            }
        }
    }

    private static func name(of error: any Error) -> String {
        switch error {
        case let error as Broken: "work \(error.serial)"
        case is EffectTimeout: "timedOut"
        default: "\(error)"
        }
    }

    private func effect(
        _ tree: EffectTree, in part: Int, _ context: EffectContext<State>
    ) -> Effect {
        switch tree {
        case .work(let work): return effect(work, context)
        case .merge(let parts): return .merge(parts.map { effect($0, in: part, context) })
        case .sequence(let parts): return .sequence(parts.map { effect($0, in: part, context) })
        case .cancel(let id): return .cancel(id: id)
        case .gated(let tree):
            let name = tree.id.map(GateName.id) ?? .part(part)
            let timing = trial.timing(of: name, at: tree.gateCount)
            let effect = effect(tree, in: part, context)
            let duration = Duration.microseconds(timing.duration)
            return timing.edge.map { effect.throttle(for: duration, $0) }
                ?? effect.debounce(for: duration)
        case .timeout(let duration, let tree):
            return effect(tree, in: part, context).timeout(after: .microseconds(duration))
        case .retry(let attempts, let pause, let tree):
            return effect(tree, in: part, context)
                .retry(attempts: attempts, .constant(.microseconds(pause)))
        case .repeated(let interval, let tree):
            return effect(tree, in: part, context).repeated(every: .microseconds(interval))
        }
    }

    private func effect(_ work: EffectTree.Work, _ context: EffectContext<State>) -> Effect {
        let handle: @Sendable (any Error) async -> Void = { [self] error in
            note("\(work.serial) handles \(Self.name(of: error))")
        }
        let takeBack: @Sendable () async -> Void = { [self] in note("\(work.serial) cancelled") }
        return .run(
            id: work.id, work.policy,
            { [self] in
                let attempt = attempts.withLock { attempts in
                    attempts[work.serial, default: 0] += 1
                    return attempts[work.serial] ?? 0
                }
                try await context.clock.sleep(for: .microseconds(work.duration))
                if attempt <= work.failures { throw Broken(serial: work.serial) }
                context.dispatch(Deed.answer(serial: work.serial), isolation: nil)
            },
            catching: work.hasHandler ? handle : nil,
            onCancel: work.hasCancellation ? takeBack : nil)
    }

    // MARK: Time

    private func advance(to time: Int) {
        let end = SoakClock.Instant(elapsed: .microseconds(time))
        while let next = clock.nextDeadline, next <= end {
            clock.advanceToNext()
            turns.run()
        }
        clock.advance(by: clock.now.duration(to: end))
        turns.run()
    }

    private func event(_ text: String) -> EffectTrial.Event {
        EffectTrial.Event(time: Int((clock.now.elapsed / .microseconds(1)).rounded()), text: text)
    }

    private func note(_ text: String) {
        let event = event(text)
        events.withLock { $0.append(event) }
    }
}

private final class Ending: Sendable {
    private let state = Atomic(false)

    var isReached: Bool { state.load(ordering: .relaxed) }
    func reach() { state.store(true, ordering: .relaxed) }
}

/// Runs the jobs of effects when it is asked to, one after the other.
private final class Turns: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs until no job is left.
    func run() {
        while true {
            let jobs = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}
