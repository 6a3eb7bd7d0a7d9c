// SPDX-License-Identifier: MIT

import Glibc

/// Threads that the system schedules.
enum RealThreads {
    static func yield() { sched_yield() }
    static func pause() { usleep(50) }
}
