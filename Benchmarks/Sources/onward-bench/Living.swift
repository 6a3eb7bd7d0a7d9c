// SPDX-License-Identifier: MIT

import Workloads

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// What live subscriptions cost while nothing, or a little, happens.
enum Living {
    private static let count = 100_000

    /// The resident bytes of one live subscription, and of a row of a large table, in words; nil where the
    /// system does not say.
    static func memory() -> String? {
        // Nothing is released meanwhile, so that every measurement needs fresh memory.
        var alive: [Any] = []
        func measure(_ count: Int, _ make: () -> Any) -> Int? {
            guard let before = residentBytes() else { return nil }
            alive.append(make())
            return residentBytes().map { ($0 - before) / count }
        }
        guard let state = measure(count, { LiveSubscriptions(ofRowsWithoutSubscribers: count) }),
            let field = measure(count, { LiveSubscriptions(ofOneField: count) }),
            let row = measure(count, { LiveSubscriptions(ofRows: count) }),
            let closure = measure(count, { LiveSubscriptions(ofClosures: count, shared: false) }),
            let shared = measure(count, { LiveSubscriptions(ofClosures: count, shared: true) }),
            let grown = measure(LargeTable.count, { LargeTable(growing: true) }),
            let built = measure(LargeTable.count, { LargeTable(growing: false) })
        else { return nil }
        return withExtendedLifetime(alive) {
            """
            Memory: \(field) bytes for a subscription of a stored property, \(row - state) for one of \
            a row (\(count) live, closures that capture a number; goal: under 250), \(closure) for one of a \
            closure of its own, \(shared) for one of a closure that all share.
            A row of 32 bytes takes \(built) in a table that was built of a million, \(grown) in one \
            that grew by appending them (goal: 72).
            """
        }
    }

    /// The memory of this process that is resident, from `/proc/self/statm` (proc(5)).
    static func residentBytes() -> Int? {
        guard let file = fopen("/proc/self/statm", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return nil }
        let fields = String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self)
            .split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The share of a core that 120 actions a second take against 2,000 subscriptions, in words.
    ///
    /// The limit, measured in the same run, is a loop that sleeps as often and does nothing.
    static func frames(seconds: Int) -> String {
        let live = LiveSubscriptions(mixed: 2_000)
        let sleeps = share(of: 120 * seconds) { _ in }
        let all = share(of: 120 * seconds, live.act)
        return """
            Frames: 120 actions a second for \(seconds) s against 2,000 mixed subscriptions take \
            \(percent(all - sleeps)) of one core (goal: below 1 %), and the sleeps between them \
            \(percent(sleeps)).
            """
    }

    private static func percent(_ share: Double) -> String {
        "\((share * 100_000).rounded() / 1_000) %"
    }

    /// The share of a core that is taken by something done 120 times a second, sleeps included.
    private static func share(of steps: Int, _ act: (Int) -> Void) -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        let startOfWork = processorTime()
        for step in 0..<steps {
            act(step)
            let next = start.advanced(by: .seconds(1) / 120 * (step + 1))
            let pause = clock.now.duration(to: next)
            if pause > .zero { usleep(UInt32(pause.nanoseconds / 1_000)) }
        }
        return (processorTime() - startOfWork) / start.duration(to: clock.now).nanoseconds
    }

    /// The time that all threads of this process worked, in nanoseconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
