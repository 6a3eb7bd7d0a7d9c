// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

@Suite struct ThrottleStateTests {
    @Test
    func `the first change is due at once, those in the pause are due as one at its end`() {
        var throttle = ThrottleState()
        var skipped: Change?
        #expect(throttle.offer(change(0, 1), skipping: &skipped)?.numbers == [0, 1])
        #expect(throttle.offer(change(1, 2), skipping: &skipped) == nil)
        #expect(skipped == nil)
        #expect(throttle.offer(change(2, 3), skipping: &skipped) == nil)
        #expect(skipped?.numbers == [1, 2])
        #expect(throttle.pauseEnded()?.numbers == [1, 3])
    }

    @Test
    func `a call at the end of a pause begins the next one`() {
        var throttle = ThrottleState()
        var skipped: Change?
        _ = throttle.offer(change(0, 1), skipping: &skipped)
        _ = throttle.offer(change(1, 2), skipping: &skipped)
        _ = throttle.pauseEnded()
        #expect(throttle.offer(change(2, 3), skipping: &skipped) == nil)
        #expect(throttle.pauseEnded()?.numbers == [2, 3])
        #expect(throttle.pauseEnded() == nil)
    }

    @Test
    func `after a pause without changes the next one is due at once`() {
        var throttle = ThrottleState()
        var skipped: Change?
        _ = throttle.offer(change(0, 1), skipping: &skipped)
        #expect(throttle.pauseEnded() == nil)
        #expect(throttle.offer(change(1, 2), skipping: &skipped)?.numbers == [1, 2])
    }
}

@Suite struct JoiningTests {
    @Test
    func `changes join to one from the first old to the last new value`() {
        var coalesced = CoalescedChanges()
        var skipped: Change?
        #expect(coalesced.join(change(0, 1), skipping: &skipped) == true)
        #expect(coalesced.isWaiting)
        #expect(coalesced.join(change(1, 2), skipping: &skipped) == false)
        #expect(skipped?.numbers == [0, 1])
        #expect(coalesced.join(change(2, 3), skipping: &skipped) == false)
        #expect(coalesced.take()?.numbers == [0, 3])
        #expect(!coalesced.isWaiting)
        #expect(coalesced.take() == nil)
    }
}
