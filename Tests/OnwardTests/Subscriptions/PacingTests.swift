// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

@Suite struct PacingTests {
    @Test
    func `the first change is due at once, those in the pause are due as one at its end`() {
        var pacing = Pacing()
        var skipped: Change?
        #expect(pacing.offer(change(0, 1), skipping: &skipped)?.numbers == [0, 1])
        #expect(pacing.offer(change(1, 2), skipping: &skipped) == nil)
        #expect(skipped == nil)
        #expect(pacing.offer(change(2, 3), skipping: &skipped) == nil)
        #expect(skipped?.numbers == [1, 2])
        #expect(pacing.pauseEnded()?.numbers == [1, 3])
    }

    @Test
    func `a call at the end of a pause begins the next one`() {
        var pacing = Pacing()
        var skipped: Change?
        _ = pacing.offer(change(0, 1), skipping: &skipped)
        _ = pacing.offer(change(1, 2), skipping: &skipped)
        _ = pacing.pauseEnded()
        #expect(pacing.offer(change(2, 3), skipping: &skipped) == nil)
        #expect(pacing.pauseEnded()?.numbers == [2, 3])
        #expect(pacing.pauseEnded() == nil)
    }

    @Test
    func `after a pause without changes the next one is due at once`() {
        var pacing = Pacing()
        var skipped: Change?
        _ = pacing.offer(change(0, 1), skipping: &skipped)
        #expect(pacing.pauseEnded() == nil)
        #expect(pacing.offer(change(1, 2), skipping: &skipped)?.numbers == [1, 2])
    }
}

@Suite struct JoiningTests {
    @Test
    func `changes join to one from the first old to the last new value`() {
        var joining = Joining()
        var skipped: Change?
        #expect(joining.join(change(0, 1), skipping: &skipped) == true)
        #expect(joining.isWaiting)
        #expect(joining.join(change(1, 2), skipping: &skipped) == false)
        #expect(skipped?.numbers == [0, 1])
        #expect(joining.join(change(2, 3), skipping: &skipped) == false)
        #expect(joining.take()?.numbers == [0, 3])
        #expect(!joining.isWaiting)
        #expect(joining.take() == nil)
    }
}
