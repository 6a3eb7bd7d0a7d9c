// SPDX-License-Identifier: MIT

internal import OnwardCore

/// A dispatched function that may still be running; releasing the handle changes nothing.
public struct EffectHandle: Sendable {
    private let job: EffectJob

    init(_ job: EffectJob) {
        self.job = job
    }

    /// Cancels it.
    public func cancel() {
        job.owner.runner.cancel(job)
    }

    /// Waits for its end.
    public func end() async {
        await EffectJob.resting(in: job.owner.engine, on: .effect(job.key)) { _ in
            _ = await job.outcome()
        }
    }
}
