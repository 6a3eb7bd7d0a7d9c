// SPDX-License-Identifier: MIT

import Testing

/// The machine against a simple model; `scripts/test-queries` puts faults into it.
@Suite struct ModelTests {
    @Test(arguments: 0..<100 as Range<UInt64>)
    func `in a thousand random steps nothing is lost, shown again, sent twice or out of order`(
        seed: UInt64
    ) throws {
        var simulation = Simulation(seed: seed)
        try simulation.run(1_000)
    }
}
