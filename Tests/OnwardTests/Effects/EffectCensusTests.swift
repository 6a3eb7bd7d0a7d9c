// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardEffects

/// The machine alone: who is told when.
@Suite struct EffectCensusTests {
    private var census = EffectCensus<String>()

    @Test
    mutating func `each waits for its own goal`() {
        census.add(1, of: 7, isUnrest: true)
        census.add(2, of: 7, isUnrest: true)
        census.add(3, of: 8, isUnrest: true)
        census.add(4, of: 9, isUnrest: false)
        census.wait(for: .end(of: 7), 1, "entry")
        census.wait(for: .quiet, 2, "quiet")
        census.wait(for: .empty, 3, "empty")
        #expect(census.remove(1) == [])
        #expect(census.remove(2) == ["entry"])
        #expect(census.remove(3) == ["quiet"])
        #expect(census.remove(4) == ["empty"])
        #expect(census.remove(4) == [])
    }

    @Test
    mutating func `a reaction that is due counts as an effect of its entry`() {
        census.expect(7)
        #expect(!census.isReached(.end(of: 7)))
        #expect(census.isReached(.end(of: 8)))
        #expect(!census.isReached(.quiet))
        census.wait(for: .end(of: 7), 1, "entry")
        census.add(1, of: 7, isUnrest: true)
        #expect(census.reacted(to: 7) == [])
        #expect(census.remove(1) == ["entry"])
    }

    @Test
    mutating func `an effect that waits for effects is not waited for by another that does`() {
        census.add(1, of: nil, isUnrest: true)
        census.add(2, of: nil, isUnrest: true)
        census.wait(for: .quiet, 1, "outside")
        #expect(census.rest(1) == [])
        census.wait(for: .othersQuiet, 2, "one")
        #expect(census.rest(2) == ["one"])
        #expect(census.isReached(.othersQuiet))
        census.goOn(1)
        #expect(!census.isReached(.othersQuiet))
        census.wait(for: .othersQuiet, 3, "two")
        #expect(census.remove(1) == ["two"])
        census.goOn(2)
        #expect(census.remove(2) == ["outside"])
    }

    @Test
    mutating func `an effect that waits twice is at work when both waits are over`() {
        census.add(1, of: nil, isUnrest: true)
        census.add(2, of: nil, isUnrest: false)
        _ = census.rest(1)
        _ = census.rest(2)
        _ = census.rest(1)
        census.goOn(1)
        census.goOn(2)
        #expect(census.isReached(.othersQuiet))
        census.goOn(1)
        #expect(!census.isReached(.othersQuiet))
        _ = census.rest(1)
        _ = census.remove(1)
        census.goOn(1)
        census.add(3, of: nil, isUnrest: true)
        #expect(!census.isReached(.othersQuiet))
    }

    @Test
    mutating func `an effect that does not wait stays at work when told to go on`() {
        census.add(1, of: nil, isUnrest: true)
        census.goOn(1)
        #expect(!census.isReached(.othersQuiet))
        #expect(census.rest(1) == [])
        #expect(census.isReached(.othersQuiet))
    }

    @Test
    mutating func `a waiter that gives up is not told`() {
        census.add(1, of: nil, isUnrest: true)
        census.wait(for: .quiet, 1, "a")
        census.wait(for: .quiet, 2, "b")
        #expect(census.giveUp(.quiet, 1) == "a")
        #expect(census.giveUp(.quiet, 1) == nil)
        #expect(census.remove(1) == ["b"])
        #expect(census.giveUp(.quiet, 2) == nil)
    }
}
