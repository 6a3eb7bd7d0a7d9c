// SPDX-License-Identifier: MIT

#if Testing
import Dispatch

/// Runs the effects of a test's store one step at a time, and knows when none has a step to make.
///
/// A task that sleeps, or waits for anything else, is not a step. So a queue at rest means that
/// every effect has ended or waits for time or the outside world: a test need not guess whether an
/// effect already sleeps before it advances the clock.
final class EffectQueue: TaskExecutor {
    private let queue = DispatchQueue(
        label: "onward.testing.effects", attributes: .initiallyInactive)
    private let steps = Awaited(0)

    /// Begins, and makes the first step of each task that was enqueued before.
    func begin() {
        queue.activate()
        queue.sync {}
    }

    /// Makes no step while `body` runs, so that what it starts begins in a certain order.
    func holding<Result>(_ body: () -> Result) -> Result {
        queue.suspend()
        defer { queue.resume() }
        return body()
    }

    /// Runs a step of a task, after those that were enqueued before it.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        steps.withValue { $0 += 1 }
        queue.async { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
            steps.withValue { $0 -= 1 }
        }
    }

    /// Waits until no effect has a step to make.
    func rest(atMost limit: Duration) async {
        _ = await steps.wait(atMost: limit) { $0 == 0 }
    }
}
#endif
