// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal
import Testing

struct NeighboursTests {
    @Test func `takes a node for dead that hasn't announced itself for two seconds`() {
        var nodes = neighbours([a, b])
        nodes.look(at: [announcement(a, 2), announcement(b, 1)], now: .seconds(1.9))
        #expect(nodes.isAlive(a) && nodes.isAlive(b))
        nodes.look(at: [announcement(a, 3), announcement(b, 1)], now: .seconds(2))
        #expect(nodes.isAlive(a) && !nodes.isAlive(b))
    }

    @Test func `takes nobody for dead while it couldn't look`() {
        var nodes = neighbours([a, b])
        nodes.look(at: [announcement(a, 90), announcement(b, 90)], now: .seconds(60))
        #expect(nodes.isAlive(a) && nodes.isAlive(b))
    }

    @Test func `has one order of heirs on every node, and another for other stores`() {
        let names = (0..<20).map { NodeID("node\($0)") }
        let (one, other) = (neighbours(names), neighbours(names.reversed()))
        var heirs: Set<NodeID?> = []
        for number in 0..<50 {
            let heir = one.heir(of: "store\(number)", with: nil, without: nil)
            #expect(
                heir != nil && heir == other.heir(of: "store\(number)", with: nil, without: nil))
            heirs.insert(heir)
        }
        #expect(heirs.count > 5)
    }

    @Test func `passes over who rests, leaves, or has other features while others are there`() {
        var nodes = Neighbours(silence: .seconds(2))
        nodes.look(at: [announcement(a, 1), announcement(b, 1, features: 2)], now: .zero)
        let (old, new) = (FeatureFingerprint(rawValue: 1), FeatureFingerprint(rawValue: 2))
        #expect(nodes.heir(of: "s", with: old, without: nil) == a)
        #expect(nodes.heir(of: "s", with: new, without: nil) == b)
        #expect(nodes.heir(of: "s", with: old, without: a) == b)
        nodes.look(at: [announcement(a, 2, isLeaving: true)], now: .zero)
        #expect(nodes.heir(of: "s", with: old, without: nil) == b)
    }
}
