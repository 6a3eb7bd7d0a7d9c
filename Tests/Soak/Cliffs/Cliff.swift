// SPDX-License-Identifier: MIT

import Foundation

/// A count that a user controls, and the cost of a step at that count.
///
/// What a step costs may not grow with the count, or with its logarithm at most. So it is measured for
/// one count and for eight times as many, in turn, in one run: the ratio of the two says it, however fast
/// the machine is.
struct Cliff {
    let name: String
    /// The smaller count.
    var count = 1_000
    /// How much more a step may cost when there are eight times as many: a generous bound above the noise
    /// of a busy machine, and far below 8, which is what O(n) gives.
    var bound = 4.0
    /// How often to measure; once where a second time finds the memory that the first one left.
    var rounds = 4
    /// The cost of a step, in any unit: time, bytes, calls.
    let cost: (Int) -> Double

    static let factor = 8

    /// The least costs of several rounds.
    func measure() -> (few: Double, many: Double) {
        var (few, many) = (Double.infinity, Double.infinity)
        for round in 0..<rounds {
            few = min(few, cost(count))
            many = min(many, cost(count * Self.factor))
            // What is clear needs no further round.
            if round > 0, many < few * bound / 2 || many > few * bound * 2 { break }
        }
        return (few, many)
    }
}

/// Nanoseconds that a body takes, for each of its steps.
func nanoseconds(perStepOf steps: Int, _ body: () -> Void) -> Double {
    let time = ContinuousClock().measure(body)
    return Double(time.components.attoseconds) / 1e9 / Double(steps)
        + Double(time.components.seconds) * 1e9 / Double(steps)
}

/// Nanoseconds that a body takes of this thread: what other programs do meanwhile does not count.
func processorNanoseconds(_ body: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
    let begin = now()
    body()
    return now() - begin
}

/// Bytes of memory that the process has now.
var bytesInUse: Double {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
    else { return 0 }
    return pages * 4_096
}
