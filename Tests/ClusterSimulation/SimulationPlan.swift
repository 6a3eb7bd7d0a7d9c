// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster

/// What is simulated, and how bad it gets: decided by a seed.
struct SimulationPlan {
    var nodes: Int
    var stores: Int
    var clients: Int
    /// How long things go wrong, in microseconds; after that everything heals.
    var duration: Int
    /// The mean time between two acts of a client.
    var pace: Int
    var limits = ClusterLimits()

    /// How often a message is lost, doubled, or very late.
    var loss = 0.0
    var doubling = 0.0
    var delay = 0.0
    /// The mean time between two crashes, pauses, partitions and failovers of anything; 0 for never.
    var crashes = 0
    var pauses = 0
    var partitions = 0
    var failovers = 0
    /// How often an effect ignores that it is ended.
    var stubbornness = 0.5
    /// Whether a node that starts again may have other features.
    var deploys = false
    var truncates = true
    /// How often a client wants something done only in the state that it has looked at.
    var conditions = 0.0
    /// Whether some actions begin durable work.
    var hasWork = false

    /// A small cluster with a random mixture of everything; every 64th is a big one.
    init(seed: UInt64) {
        var random = SeededRandom(seed: seed &+ 0x5EED)
        nodes = random.number(1, 6)
        stores = random.number(1, 3)
        clients = random.number(1, 8)
        duration = random.number(5_000, 20_000) * 1_000
        pace = random.number(5, 400) * 1_000
        limits.window = random.chance(0.5) ? random.number(3, 40) : 10_000
        limits.spacing = random.chance(0.6) ? CommitVersion(random.number(3, 60)) : 1_000
        limits.pipeline = random.number(1, 6)
        limits.batch = random.number(1, 16)
        limits.page = random.number(4, 256)
        limits.waiting = random.chance(0.1) ? random.number(2, 10) : 1_000
        if random.chance(0.6) { loss = 0.1 * Double(random.skewed(0, 100)) / 100 }
        if random.chance(0.5) { doubling = 0.1 * Double(random.skewed(0, 100)) / 100 }
        if random.chance(0.6) { delay = 0.2 * Double(random.skewed(0, 100)) / 100 }
        if random.chance(0.6) { crashes = random.number(1_000, 10_000) * 1_000 }
        if random.chance(0.5) { pauses = random.number(1_000, 10_000) * 1_000 }
        if random.chance(0.5) { partitions = random.number(1_000, 8_000) * 1_000 }
        if random.chance(0.6) { failovers = random.number(700, 8_000) * 1_000 }
        deploys = random.chance(0.15)
        truncates = random.chance(0.7)
        if random.chance(0.5) { conditions = 0.6 }
        hasWork = random.chance(0.6)
        if seed % 64 == 0 { grow() }
    }

    /// A hundred nodes, a thousand stores.
    private mutating func grow() {
        (nodes, stores, clients) = (100, 1_000, 200)
        duration = 4_000_000
        pace = 100_000
        (crashes, pauses, partitions) = (300_000, 300_000, 500_000)
        failovers = 2_000_000
    }
}
