// SPDX-License-Identifier: MIT
#if Postgres

import Foundation

/// Prints what proposals cost, beside bare appends to the same server: `MeasureCluster CONNECTION [COUNT]`.
///
/// `scripts/measure-cluster` builds it, and gives it a server.
@main
struct MeasureCluster {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 1 else {
            print("usage: MeasureCluster CONNECTION [COUNT] [NODES STORES]")
            exit(64)
        }
        let count = arguments.count > 2 ? Int(arguments[2]) ?? 0 : 20_000
        let measurement = ClusterMeasurement(at: arguments[1], count: max(count, 1_000))
        var cases = [(1, 1), (2, 1), (3, 1), (1, 1_000), (3, 1_000)]
        if arguments.count > 4, let nodes = Int(arguments[3]), let stores = Int(arguments[4]) {
            cases = [(nodes, stores)]
        }
        var bare: [Int: Double] = [:]
        for (nodes, stores) in cases {
            if bare[stores] == nil {
                let result = try await measurement.appends(stores: stores)
                bare[stores] = result.rate
                show(result, "appends to \(stores) stores", beside: nil)
            }
            let result = try await measurement.proposals(nodes: nodes, stores: stores)
            show(result, "proposals to \(stores) stores on \(nodes) nodes", beside: bare[stores])
        }
    }

    private static func show(
        _ result: ClusterMeasurement.Result, _ what: String, beside bare: Double?
    ) {
        let (middle, late) = (text(of: result.middle), text(of: result.late))
        let share = bare.map { ", \(Int((100 * result.rate / $0).rounded())) % of appends" } ?? ""
        print(
            "\(Int(result.rate)) \(what) each second\(share); in the middle \(middle), 99 of 100 at most \(late)"
        )
        fflush(nil)
    }

    private static func text(of duration: Duration) -> String {
        "\((duration / .milliseconds(1) * 10).rounded() / 10) ms"
    }
}
#else
@main
struct MeasureCluster {
    static func main() { print("built without the trait Postgres") }
}
#endif
