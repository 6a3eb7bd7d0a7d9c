// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardEffects

/// The machine alone: who is told when.
@Suite struct EffectCensusTests {
    private var census = EffectCensus<String>()

    private func effect(
        _ key: EffectSchedule.Key, of version: Version? = nil, isUnrest: Bool = true
    ) -> EffectCensus<String>.Member {
        .init(key: key, version: version, isUnrest: isUnrest)
    }

    @Test
    mutating func `each waits for its own goal`() {
        census.add(effect(1, of: 7))
        census.add(effect(2, of: 7))
        census.add(effect(3, of: 8))
        census.add(effect(4, of: 9, isUnrest: false))
        census.wait(for: .end(of: 7), 1, "entry")
        census.wait(for: .quiet, 2, "quiet")
        census.wait(for: .empty, 3, "empty")
        #expect(census.remove(effect(1, of: 7)) == [])
        #expect(census.remove(effect(2, of: 7)) == ["entry"])
        #expect(census.remove(effect(3, of: 8)) == ["quiet"])
        #expect(census.remove(effect(4, of: 9, isUnrest: false)) == ["empty"])
    }

    @Test
    mutating func `a reaction that is due counts as an effect of its entry`() {
        census.expect(7)
        #expect(!census.isReached(.end(of: 7)))
        #expect(census.isReached(.end(of: 8)))
        #expect(!census.isReached(.quiet))
        census.wait(for: .end(of: 7), 1, "entry")
        census.add(effect(1, of: 7))
        #expect(census.reacted(to: 7) == [])
        #expect(census.remove(effect(1, of: 7)) == ["entry"])
    }

    @Test
    mutating func `an effect that waits for effects is not waited for by another that does`() {
        census.add(effect(1))
        census.add(effect(2))
        census.wait(for: .quiet, 1, "outside")
        #expect(census.rest(effect(1)) == [])
        census.wait(for: .othersQuiet, 2, "one")
        #expect(census.rest(effect(2)) == ["one"])
        #expect(census.isReached(.othersQuiet))
        census.goOn(effect(1))
        #expect(!census.isReached(.othersQuiet))
        census.wait(for: .othersQuiet, 3, "two")
        #expect(census.remove(effect(1)) == ["two"])
        census.goOn(effect(2))
        #expect(census.remove(effect(2)) == ["outside"])
    }

    @Test
    mutating func `an effect that waits twice is at work when both waits are over`() {
        census.add(effect(1))
        census.add(effect(2, isUnrest: false))
        _ = census.rest(effect(1))
        _ = census.rest(effect(2, isUnrest: false))
        _ = census.rest(effect(1))
        census.goOn(effect(1))
        census.goOn(effect(2, isUnrest: false))
        #expect(census.isReached(.othersQuiet))
        census.goOn(effect(1))
        #expect(!census.isReached(.othersQuiet))
        _ = census.rest(effect(1))
        _ = census.remove(effect(1))
        census.add(effect(3))
        #expect(!census.isReached(.othersQuiet))
        census.goOn(effect(1))
        #expect(!census.isReached(.othersQuiet))
    }

    @Test
    mutating func `an effect that does not wait stays at work when told to go on`() {
        census.add(effect(1))
        census.goOn(effect(1))
        #expect(!census.isReached(.othersQuiet))
        #expect(census.rest(effect(1)) == [])
        #expect(census.isReached(.othersQuiet))
    }

    @Test
    mutating func `a waiter that gives up is not told`() {
        census.add(effect(1))
        census.wait(for: .quiet, 1, "a")
        census.wait(for: .quiet, 2, "b")
        #expect(census.giveUp(.quiet, 1) == "a")
        #expect(census.giveUp(.quiet, 1) == nil)
        #expect(census.remove(effect(1)) == ["b"])
        #expect(census.giveUp(.quiet, 2) == nil)
    }
}
