// SPDX-License-Identifier: MIT
#if All

import MeasureCluster
import Testing

struct ShowingsTests {
    private let begin = ContinuousClock.now

    private func showings(_ nodes: [[(count: Int, milliseconds: Int)]]) -> Showings {
        var showings = Showings(nodes: nodes.count)
        for (node, shown) in nodes.enumerated() {
            for (count, milliseconds) in shown {
                showings.note(count, on: node, at: begin + .milliseconds(milliseconds))
            }
        }
        return showings
    }

    @Test func `a replica lags until it shows what the owner did`() {
        let showings = showings([[(1, 3), (2, 14)], [(1, 0), (2, 10)], [(1, 1), (2, 12)]])
        #expect(
            showings.lags(behind: 1) == [3, 4, 1, 2].map { Duration.milliseconds($0) })
    }

    @Test func `a replica that shows several lines together has them all then`() {
        let showings = showings([[(1, 0), (2, 5), (3, 6)], [(3, 9)]])
        #expect(showings.lags(behind: 0) == [9, 4, 3].map { Duration.milliseconds($0) })
    }

    @Test func `what a replica hasn't shown has no lag yet, and none is below zero`() {
        let showings = showings([[(1, 5), (2, 6)], [(1, 4)]])
        #expect(showings.lags(behind: 0) == [.zero])
    }
}
#endif
