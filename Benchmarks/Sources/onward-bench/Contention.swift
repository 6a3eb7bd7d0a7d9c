// SPDX-License-Identifier: MIT

import Synchronization
import Workloads

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Eight threads that dispatch to one store at once: W8, and W8T with a subscriber that is notified.
struct Contention {
    private static let threads = 8
    private static let perThread = 200_000

    /// The time per dispatch with eight threads; the limit is eight threads at one lock.
    let measurement: Measurement
    /// What else there is to say, in words.
    let note: String

    /// No subscriber is notified.
    init(repetitions: Int) {
        var longest = Duration.zero
        measurement = Self.measure(
            "W8", "8 threads dispatching at once", budget: "≤ 2 × W1", repetitions,
            Workload.counterForThreads
        ) { _, wait in longest = max(longest, wait) }
        note = "W8: the longest single dispatch of any thread took \(longest.microseconds) µs."
    }

    /// One subscriber is notified.
    init(notifiedWithRepetitions repetitions: Int) {
        var most = 0
        var joined = 0.0
        var catchingUp = Duration.zero
        measurement = Self.measure(
            "W8T", "8 threads dispatching at once, one subscriber notified", budget: "≤ 250 ns",
            repetitions, Workload.notifiedCounterForThreads
        ) { contended, _ in
            most = max(most, contended.unnotified())
            catchingUp = max(
                catchingUp,
                ContinuousClock().measure { while contended.unnotified() > 0 { sched_yield() } })
            joined = 1 - Double(contended.calls()) / Double(Self.threads * Self.perThread)
        }
        note = """
            W8T: when all \(Self.threads * Self.perThread) dispatches had returned, \(most) commits at most had \
            not been notified; \(catchingUp.microseconds) µs later all were. \(Int(joined * 100)) % of the commits \
            were joined with others in one call.
            """
    }

    /// Measures a store that `make` makes with eight threads, in turn with its limit; `look` is called after each race.
    private static func measure(
        _ name: String, _ summary: String, budget: String, _ repetitions: Int,
        _ make: () -> ContendedRun, _ look: (ContendedRun, Duration) -> Void
    ) -> Measurement {
        var limits: [Double] = []
        var times: [Double] = []
        let total = Double(threads * perThread)
        for _ in 0..<repetitions {
            let contended = make()
            limits.append(race(contended.limit).0.nanoseconds / total)
            let (duration, wait) = race(contended.run)
            times.append(duration.nanoseconds / total)
            look(contended, wait)
        }
        return Measurement(
            workload: name, summary: summary, budget: budget, nanoseconds: median(times),
            limitNanoseconds: median(limits))
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

extension Duration {
    fileprivate var microseconds: Int { Int(nanoseconds / 1_000) }
}
