// SPDX-License-Identifier: MIT

import ClusterSimulation
import Testing

struct SimulationTests {
    @Test(arguments: 1...4)
    func `a cluster keeps its promises whatever goes wrong`(part: UInt64) {
        for seed in (part * 100)..<(part * 100 + 3) {
            var simulation = Simulation(seed: seed)
            let report = simulation.run()
            #expect(
                report.faults == [], "Repeat: scripts/simulate-cluster --seed \(seed) --count 1")
            #expect(report.answered > 0)
        }
    }

    @Test func `a seed decides everything`() {
        var (one, other) = (Simulation(seed: 7), Simulation(seed: 7))
        let (first, second) = (one.run(), other.run())
        #expect(first.events == second.events)
        #expect(first.accepted == second.accepted)
        #expect(first.claims == second.claims)
    }
}
