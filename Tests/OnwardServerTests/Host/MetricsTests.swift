// SPDX-License-Identifier: MIT
#if Server

import HummingbirdTesting
import MetricsTestKit
import OnwardServer
import Testing

@Suite struct `Measuring a server` {
    @Test func `requests, open streams and dispatches are counted`() async throws {
        var server = TestServer()
        let metrics = TestMetrics()
        server.options.metrics = metrics
        try await server.test(.live) { client in
            _ = try await client.get()
            _ = try await client.post(json: play(expects: "round 1 turn 1"))
            _ = try await client.post(json: play(expects: "round 1 turn 1"))
            _ = try await client.post(
                json: play(request: "request-2", expects: "round 1 turn 1"))
            try await RawConnection.with(
                port: #require(client.port), send: RawConnection.events()
            ) { _ = try await $0.event() }
        }
        #expect(try metrics.expectCounter("onward_server_requests").totalValue == 5)
        #expect(
            try metrics.expectCounter("onward_server_dispatches", [("result", "dispatched")])
                .totalValue == 1)
        #expect(
            try metrics.expectCounter("onward_server_dispatches", [("result", "stale")])
                .totalValue == 1)
        #expect(try metrics.expectMeter("onward_server_streams").values.first == 1)
    }
}
#endif
