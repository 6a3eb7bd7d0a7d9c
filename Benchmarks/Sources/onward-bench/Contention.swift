// SPDX-License-Identifier: MIT

import Synchronization
import Workloads

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// W8: eight threads that dispatch to one store at once.
struct Contention {
    private static let threads = 8
    private static let perThread = 200_000

    /// The time per dispatch with eight threads, with the time on one thread as its limit.
    let measurement: Measurement
    /// The longest wait of any thread, in words.
    let note: String

    init(repetitions: Int) {
        var alone: [Double] = []
        var together: [Double] = []
        var longest = 0.0
        for _ in 0..<repetitions {
            let run = Workload.counterForThreads()
            let total = Self.threads * Self.perThread
            alone.append(
                ContinuousClock().measure { run(total) }.nanoseconds / Double(total))
            let (duration, wait) = Self.race(run)
            together.append(duration.nanoseconds / Double(total))
            longest = max(longest, wait.nanoseconds)
        }
        measurement = Measurement(
            workload: "W8", summary: "8 threads dispatching at once (limit: one thread)",
            budget: "≤ 2 × limit", nanoseconds: median(together), limitNanoseconds: median(alone))
        note = "W8: the longest single dispatch of any thread took \(Int(longest / 1_000)) µs."
    }

    /// Runs eight threads from one starting shot; returns the time until the last one is done, and
    /// the longest that a dispatch of any of them took.
    private static func race(_ run: @escaping @Sendable (Int) -> Void) -> (Duration, Duration) {
        let longest = Mutex(Duration.zero)
        let duration = ContinuousClock().measure {
            let handles = (0..<threads).map { _ in
                Thread {
                    var worst = Duration.zero
                    let clock = ContinuousClock()
                    // Timing every dispatch would measure the clock: one in a hundred is timed.
                    for _ in 0..<perThread / 100 {
                        run(99)
                        worst = max(worst, clock.measure { run(1) })
                    }
                    longest.withLock { $0 = max($0, worst) }
                }
            }
            for handle in handles { handle.join() }
        }
        return (duration, longest.withLock { $0 })
    }
}

/// A thread that runs a closure.
private struct Thread {
    private let handle: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let status = pthread_create(
            &thread, nil,
            { argument in
                #if canImport(Darwin)
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                #else
                if let argument {
                    Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                }
                #endif
                return nil
            }, box.toOpaque())
        precondition(status == 0, "No thread could be made (error \(status)).")
        #if canImport(Darwin)
        guard let thread else { preconditionFailure("No thread could be made.") }
        #endif
        handle = thread
    }

    func join() { pthread_join(handle, nil) }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
