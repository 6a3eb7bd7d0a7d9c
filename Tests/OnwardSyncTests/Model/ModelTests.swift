// SPDX-License-Identifier: MIT

import Testing

/// Both machines against a simple model; `scripts/test-sync` puts faults into them.
@Suite struct ModelTests {
    @Test(arguments: 0..<108 as Range<UInt64>)
    func `in a thousand random steps nothing is lost, doubled, out of order or shown in between`(
        seed: UInt64
    ) throws {
        var simulation = Simulation(seed: seed)
        try simulation.run(1_000)
    }
}
