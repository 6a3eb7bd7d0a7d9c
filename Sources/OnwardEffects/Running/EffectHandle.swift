// SPDX-License-Identifier: MIT

internal import OnwardCore

/// A handle to a dispatched function that may still be running; releasing it doesn't cancel the
/// function.
public struct EffectHandle: Sendable {
    private let job: EffectJob

    init(_ job: EffectJob) {
        self.job = job
    }

    /// Cancels the function.
    public func cancel() {
        job.owner.runner.cancel(job)
    }

    /// Waits until the function has ended.
    public func waitUntilEnded() async {
        await EffectJob.resting(in: job.owner.engine, on: .effect(job.key)) { _ in
            _ = await job.outcome()
        }
    }
}
