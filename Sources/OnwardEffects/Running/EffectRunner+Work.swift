// SPDX-License-Identifier: MIT

internal import OnwardCore

extension EffectRunner {
    /// Does what an effect consists of, in the task of its job.
    func work(_ work: EffectWork, for job: EffectJob) async throws {
        switch work {
        case .none: break
        case .run(let body): try await body(job.owner)
        case .call(let body): try await body()
        case .dispatch(let send):
            _ = job.owner.dispatch { send(job.owner.engine, job.owner, $0, nil) }
        case .cancel(let id): cancel(id, in: job.owner)
        case .merge(let effects): try await merge(effects, for: job)
        case .sequence(let effects):
            for effect in effects {
                try Task.checkCancellation()
                try await step(effect, for: job)
            }
        case .gate(let gate, let work):
            try await pass(gate, job)
            try await self.work(work, for: job)
        case .timeout(let duration, let work):
            try await limit(work, to: duration, for: job)
        case .retry(let terms, let work): try await retry(work, terms, for: job)
        case .repeating(let interval, let work):
            let ticks = job.owner.engine.options.clock.ticks(every: interval)
            var iterator = ticks.makeAsyncIterator()
            repeat {
                try await self.work(work, for: job)
            } while await iterator.next(isolation: nil) != nil
            try Task.checkCancellation()
        }
    }

    /// Does an effect inside another one; one that is more than its work becomes a job of its own.
    private func step(_ effect: Effect, for job: EffectJob) async throws {
        if effect.isBare { return try await work(effect.work, for: job) }
        let inner = submit(effect, in: job.owner, isAwaited: true, for: job, isPart: true)
        let outcome = await withTaskCancellationHandler {
            await inner.outcome()
        } onCancel: {
            cancel(inner)
        }
        switch outcome {
        case .finished: break
        case .failed(let error): throw error
        case .cancelled: throw EffectSuperseded()
        }
    }

    /// Does effects at the same time; each reports its own error.
    private func merge(_ effects: [Effect], for job: EffectJob) async throws {
        let inner = effects.map { effect in
            submit(effect, in: job.owner, for: job, isPart: true)
        }
        let allFinished = await withTaskCancellationHandler {
            var allFinished = true
            for job in inner {
                if case .finished = await job.outcome() { continue }
                allFinished = false
            }
            return allFinished
        } onCancel: {
            for job in inner { cancel(job) }
        }
        if !allFinished { throw EffectSuperseded() }
    }

    private func limit(
        _ work: EffectWork, to duration: Duration, for job: EffectJob
    ) async throws {
        let clock = job.owner.engine.options.clock
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await self.work(work, for: job)
                return true
            }
            group.addTask {
                // Not the effect sleeps, which may end before.
                try await TaskPermit.$current.withValue(nil) {
                    try await clock.sleep(fromNowFor: duration)()
                }
                return false
            }
            let isInTime = try await group.next() ?? true
            group.cancelAll()
            // What is still at work ends before this returns.
            while await group.nextResult() != nil {}
            if !isInTime { throw EffectTimeout(limit: duration) }
        }
    }

    private func retry(
        _ work: EffectWork, _ terms: RetryTerms, for job: EffectJob
    ) async throws {
        var random = job.owner.random
        var attempt = 1
        while true {
            do {
                return try await self.work(work, for: job)
            } catch {
                let isFinal = attempt >= terms.attempts || error is EffectSuperseded
                if isFinal || Task.isCancelled || !terms.isWorthwhile(error) { throw error }
                let clock = job.owner.engine.options.clock
                try await clock.sleep(
                    fromNowFor: terms.backoff.delay(after: attempt, using: &random))()
                attempt += 1
            }
        }
    }
}
