// SPDX-License-Identifier: MIT
#if All

import Foundation

/// Measures what proposals cost, beside bare appends to the same server: `MeasureCluster CONNECTION [COUNT]`.
///
/// What it finds is a JSON object on the standard output. `scripts/measure cluster` builds it, and gives it a server.
@main
struct MeasureCluster {
    /// What was measured.
    private struct Figures: Encodable {
        var count: Int
        var callers: Int
        var cases: [Case] = []
    }

    /// Some nodes with some stores.
    ///
    /// Times are in milliseconds: what half of them are at most, and 99 of 100.
    private struct Case: Encodable {
        let nodes: Int
        let stores: Int
        let appendsPerSecond: Int
        let appendMilliseconds: [Double]
        let proposalsPerSecond: Int
        let answerMilliseconds: [Double]
        let lagMilliseconds: [Double]
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            print("usage: MeasureCluster CONNECTION [COUNT] [NODES STORES]")
            exit(64)
        }
        let count = max(arguments.count > 2 ? Int(arguments[2]) ?? 0 : 20_000, 1_000)
        let measurement = ClusterMeasurement(at: arguments[1], count: count)
        var cases = [(1, 1), (2, 1), (3, 1), (1, 1_000), (2, 1_000), (3, 1_000)]
        if arguments.count > 4, let nodes = Int(arguments[3]), let stores = Int(arguments[4]) {
            cases = [(nodes, stores)]
        }
        var figures = Figures(count: count, callers: measurement.callers)
        for (nodes, stores) in cases {
            // Each time anew: a machine that others share is faster at times.
            let bare = try await measurement.appends(stores: stores)
            let proposals = try await measurement.proposals(nodes: nodes, stores: stores)
            let measured = Case(
                nodes: nodes, stores: stores, appendsPerSecond: Int(bare.rate),
                appendMilliseconds: quantiles(bare.durations),
                proposalsPerSecond: Int(proposals.rate),
                answerMilliseconds: quantiles(proposals.durations),
                lagMilliseconds: quantiles(proposals.lags))
            figures.cases.append(measured)
            FileHandle.standardError.write(Data("\(measured)\n".utf8))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    /// What half of some durations are at most, and 99 of 100.
    private static func quantiles(_ durations: [Duration]) -> [Double] {
        let durations = durations.sorted()
        guard !durations.isEmpty else { return [] }
        return [durations[durations.count / 2], durations[durations.count * 99 / 100]].map {
            ($0 / .milliseconds(1) * 10).rounded() / 10
        }
    }
}
#else
@main
struct MeasureCluster {
    static func main() { print("built without the trait Postgres") }
}
#endif
