// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import OnwardEffects

/// The machine alone: which waiter is notified when.
@Suite struct EffectTrackerTests {
    private var tracker = EffectTracker<String>()

    private func effect(
        _ key: EffectSchedule.Key, of version: Version? = nil, blocksIdle: Bool = true
    ) -> EffectTracker<String>.Member {
        .init(key: key, version: version, blocksIdle: blocksIdle)
    }

    @Test
    mutating func `each waits for its own goal`() {
        tracker.add(effect(1, of: 7))
        tracker.add(effect(2, of: 7))
        tracker.add(effect(3, of: 8))
        tracker.add(effect(4, of: 9, blocksIdle: false))
        tracker.wait(for: .end(of: 7), 1, "entry")
        tracker.wait(for: .idle, 2, "quiet")
        tracker.wait(for: .empty, 3, "empty")
        #expect(tracker.remove(effect(1, of: 7)) == [])
        #expect(tracker.remove(effect(2, of: 7)) == ["entry"])
        #expect(tracker.remove(effect(3, of: 8)) == ["quiet"])
        #expect(tracker.remove(effect(4, of: 9, blocksIdle: false)) == ["empty"])
    }

    @Test
    mutating func `a reaction that is due counts as an effect of its entry`() {
        tracker.expect(7)
        #expect(!tracker.isReached(.end(of: 7)))
        #expect(tracker.isReached(.end(of: 8)))
        #expect(!tracker.isReached(.idle))
        tracker.wait(for: .end(of: 7), 1, "entry")
        tracker.add(effect(1, of: 7))
        #expect(tracker.reacted(to: 7) == [])
        #expect(tracker.remove(effect(1, of: 7)) == ["entry"])
    }

    @Test
    mutating func `an effect that waits for effects is not waited for by another that does`() {
        tracker.add(effect(1))
        tracker.add(effect(2))
        tracker.wait(for: .idle, 1, "outside")
        #expect(tracker.beginWaiting(effect(1)) == [])
        tracker.wait(for: .othersIdle, 2, "one")
        #expect(tracker.beginWaiting(effect(2)) == ["one"])
        #expect(tracker.isReached(.othersIdle))
        tracker.endWaiting(effect(1))
        #expect(!tracker.isReached(.othersIdle))
        tracker.wait(for: .othersIdle, 3, "two")
        #expect(tracker.remove(effect(1)) == ["two"])
        tracker.endWaiting(effect(2))
        #expect(tracker.remove(effect(2)) == ["outside"])
    }

    @Test
    mutating func `an effect that waits twice is at work when both waits are over`() {
        tracker.add(effect(1))
        tracker.add(effect(2, blocksIdle: false))
        _ = tracker.beginWaiting(effect(1))
        _ = tracker.beginWaiting(effect(2, blocksIdle: false))
        _ = tracker.beginWaiting(effect(1))
        tracker.endWaiting(effect(1))
        tracker.endWaiting(effect(2, blocksIdle: false))
        #expect(tracker.isReached(.othersIdle))
        tracker.endWaiting(effect(1))
        #expect(!tracker.isReached(.othersIdle))
        _ = tracker.beginWaiting(effect(1))
        _ = tracker.remove(effect(1))
        tracker.add(effect(3))
        #expect(!tracker.isReached(.othersIdle))
        tracker.endWaiting(effect(1))
        #expect(!tracker.isReached(.othersIdle))
    }

    @Test
    mutating func `an effect that does not wait stays at work when asked to go on`() {
        tracker.add(effect(1))
        tracker.endWaiting(effect(1))
        #expect(!tracker.isReached(.othersIdle))
        #expect(tracker.beginWaiting(effect(1)) == [])
        #expect(tracker.isReached(.othersIdle))
    }

    @Test
    mutating func `a waiter that gives up is not notified`() {
        tracker.add(effect(1))
        tracker.wait(for: .idle, 1, "a")
        tracker.wait(for: .idle, 2, "b")
        #expect(tracker.cancelWait(.idle, 1) == "a")
        #expect(tracker.cancelWait(.idle, 1) == nil)
        #expect(tracker.remove(effect(1)) == ["b"])
        #expect(tracker.cancelWait(.idle, 2) == nil)
    }
}
