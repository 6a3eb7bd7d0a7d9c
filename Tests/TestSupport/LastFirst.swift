// SPDX-License-Identifier: MIT

import Onward

/// Runs effects when the test wants it, the last one that was started first.
final class LastFirst: TaskExecutor {
    private let jobs = Guarded<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withValue { $0.append(job) }
    }

    func run() {
        while let job = jobs.withValue({ $0.popLast() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
