// SPDX-License-Identifier: MIT
//
// What `scripts/test-stress --self-test` gives to the thread sanitizer: two threads count in one
// variable. `race` counts without a lock, which has to be found; `clean` counts with one.

import Foundation

struct SharedCounter: @unchecked Sendable {
    // Invariant: none in `race`, on purpose; in `clean` the lock protects the value.
    let value = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    let lock = NSLock()

    init() {
        value.initialize(to: 0)
    }

    @inline(never) func countUnprotected() {
        value.pointee += 1
    }

    func countProtected() {
        lock.lock()
        countUnprotected()
        lock.unlock()
    }
}

let counter = SharedCounter()
let isRacing = CommandLine.arguments.last == "race"
let done = DispatchSemaphore(value: 0)

// Threads, not tasks: two tasks may run one after the other on one thread.
for _ in 0..<2 {
    Thread.detachNewThread {
        for _ in 0..<10_000 {
            if isRacing { counter.countUnprotected() } else { counter.countProtected() }
        }
        done.signal()
    }
}
for _ in 0..<2 { done.wait() }
print("counted to \(counter.value.pointee)")
