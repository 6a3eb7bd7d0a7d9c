// SPDX-License-Identifier: MIT

import Workloads

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The figures of one workload.
struct Measurement {
    let workload: String
    let summary: String
    let budget: String
    /// Median time of one operation.
    let nanoseconds: Double
    /// Median time of the limit's operation; nil where there is none.
    let limitNanoseconds: Double?

    var ratio: Double? { limitNanoseconds.map { nanoseconds / $0 } }

    /// Measures a workload and its limit in turns, so that what the machine does meanwhile meets
    /// both.
    init(of workload: Workload, repetitions: Int) {
        self.workload = workload.name
        summary = workload.summary
        budget = workload.budget
        let run = workload.prepare()
        let limit = workload.prepareLimit?()
        let period = workload.period
        let count = Self.calibrate(run, period)
        let limitCount = limit.map { Self.calibrate($0, period) } ?? 0
        var times: [Double] = []
        var limitTimes: [Double] = []
        for _ in 0..<repetitions {
            if let limit { limitTimes.append(Self.time(limit, limitCount)) }
            times.append(Self.time(run, count))
        }
        nanoseconds = median(times)
        limitNanoseconds = limit == nil ? nil : median(limitTimes)
    }

    init(
        workload: String, summary: String, budget: String, nanoseconds: Double,
        limitNanoseconds: Double?
    ) {
        self.workload = workload
        self.summary = summary
        self.budget = budget
        self.nanoseconds = nanoseconds
        self.limitNanoseconds = limitNanoseconds
    }

    /// How many operations take about 50 ms; a multiple of the period.
    private static func calibrate(_ run: (Int) -> Void, _ period: Int) -> Int {
        var count = period
        while true {
            let nanoseconds = time(run, count) * Double(count)
            if nanoseconds > 20_000_000 {
                let wanted = Double(count) * 50_000_000 / nanoseconds
                return max(period, Int(wanted) / period * period)
            }
            count *= 4
        }
    }

    private static func time(_ run: (Int) -> Void, _ count: Int) -> Double {
        let duration = ContinuousClock().measure { run(count) }
        return duration.nanoseconds / Double(count)
    }
}

/// The processor's time of this thread that a body takes: what other programs do does not count.
func processorTime(_ body: () throws -> Void) rethrows -> Duration {
    func now() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
    let begin = now()
    try body()
    return now() - begin
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
}

extension Duration {
    var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
