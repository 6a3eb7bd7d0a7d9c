// SPDX-License-Identifier: MIT

internal import ClusterSimulation

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Simulates clusters with one seed after the other, until one fails, so many have run or the time is over.
@main
enum SimulateCluster {
    static func main() {
        var options: [String: Int] = ["--seed": 1, "--count": .max, "--seconds": 60]
        var arguments = CommandLine.arguments.dropFirst()
        while let name = arguments.popFirst() {
            guard options[name] != nil, let value = arguments.popFirst().flatMap({ Int($0) }) else {
                print("usage: SimulateCluster [--seed FIRST] [--count SEEDS] [--seconds LIMIT]")
                exit(2)
            }
            options[name] = value
        }
        run(
            from: UInt64(options["--seed"] ?? 1), count: options["--count"] ?? .max,
            limit: .seconds(options["--seconds"] ?? 60))
    }

    private static func run(from first: UInt64, count: Int, limit: Duration) {
        let clock = ContinuousClock()
        let begin = clock.now
        var (seed, runs, events, answered, accepted) = (first, 0, 0, 0, 0)
        var (claims, failovers) = (0, 0)
        while runs < count, clock.now - begin < limit {
            var simulation = Simulation(seed: seed)
            let report = simulation.run()
            guard report.faults.isEmpty else {
                print("seed \(seed), run \(runs + 1): \(report.faults[0])")
                for fault in report.faults.dropFirst() { print("  \(fault)") }
                print("Repeat: scripts/simulate-cluster --seed \(seed) --count 1")
                exit(1)
            }
            events += report.events
            answered += report.answered
            accepted += report.accepted
            claims += report.claims
            failovers += report.failovers
            (seed, runs) = (seed + 1, runs + 1)
        }
        let seconds = (clock.now - begin) / .seconds(1)
        print(
            """
            \(runs) clusters from seed \(first): \(answered) proposals answered, \(accepted) accepted, \(claims) \
            entries of ownership, \(failovers) failovers; \(events) events, \(Int(Double(events) / seconds)) a \
            second, \(Int(Double(answered) / seconds)) proposals a second
            """)
    }
}
