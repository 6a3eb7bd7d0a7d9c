// SPDX-License-Identifier: MIT
#if All

import MeasureCluster
import Testing

@testable import OnwardPostgres

/// Proposals beside bare appends; `scripts/measure cluster` says more of them, in an optimised build.
struct PostgresClusterFiguresTests {
    @Test func `proposals are at least a tenth as many as bare appends`() async throws {
        let server = try PostgresServer()
        defer { server.stop() }
        try await server.isReady()
        let measurement = ClusterMeasurement(at: server.address, count: 2_000)
        let bare = try await measurement.appends(stores: 1)
        let proposals = try await measurement.proposals(nodes: 1, stores: 1)
        print(
            "cluster, each second: \(Int(proposals.rate)) proposals, \(Int(bare.rate)) bare appends"
        )
        #expect(proposals.durations.count == 2_000)
        #expect(proposals.rate >= bare.rate / 10)
    }
}
#endif
