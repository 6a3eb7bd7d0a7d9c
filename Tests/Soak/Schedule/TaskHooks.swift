// SPDX-License-Identifier: MIT

import Glibc

/// Leads the jobs of tasks to what wants to run them, instead of to the runtime's own threads.
///
/// The runtime has variables for that, which are looked up by name.
enum TaskHooks {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Has every job of tasks, of actors and of the main actor run under the current schedule.
    static func install() {
        set("swift_task_enqueueGlobal_hook") { job, _ in
            CurrentSchedule.shared.schedule?.add(job, isMain: false)
        }
        set("swift_task_enqueueMainExecutor_hook") { job, _ in
            CurrentSchedule.shared.schedule?.add(job, isMain: true)
        }
        variable("swift_task_getMainExecutor_hook").assumingMemoryBound(to: MainHook?.self)
            .pointee = { _ in MainExecutor.shared.asUnownedSerialExecutor() }
    }

    private typealias MainHook =
        @convention(thin) (@convention(thin) () -> UnownedSerialExecutor) -> UnownedSerialExecutor

    private static func set(_ name: String, _ hook: @escaping Hook) {
        variable(name).assumingMemoryBound(to: Hook?.self).pointee = hook
    }

    private static func variable(_ name: String) -> UnsafeMutableRawPointer {
        guard let symbol = dlsym(nil, name) else { fatalError("The runtime has no \(name).") }
        return symbol
    }

    /// Runs a job on the calling thread.
    static func run(_ job: UnownedJob, isMain: Bool) {
        let none = (UInt(0), UInt(0))
        let executor =
            isMain
            ? MainExecutor.shared.asUnownedSerialExecutor()
            : unsafeBitCast(none, to: UnownedSerialExecutor.self)
        runJob(job, executor)
    }
}

/// Where the jobs of the main actor are sent.
private final class MainExecutor: SerialExecutor {
    static let shared = MainExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        CurrentSchedule.shared.schedule?.add(UnownedJob(job), isMain: true)
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }
}

@_silgen_name("swift_job_run")
private func runJob(_ job: UnownedJob, _ executor: UnownedSerialExecutor)
