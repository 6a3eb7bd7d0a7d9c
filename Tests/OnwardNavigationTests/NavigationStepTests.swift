// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import Testing

@testable import TestSupport

@Suite struct NavigationStepTests {
    private func steps(_ old: String, _ new: String) -> [NavigationStep<Character>] {
        NavigationStep.steps(from: Array(old), to: Array(new))
    }

    @Test
    func `equal stacks need no step`() {
        #expect(steps("", "").isEmpty)
        #expect(steps("abc", "abc").isEmpty)
    }

    @Test
    func `what is missing is pushed from below`() {
        #expect(steps("", "ab") == [.push("a", at: 0), .push("b", at: 1)])
        #expect(steps("a", "abc") == [.push("b", at: 1), .push("c", at: 2)])
    }

    @Test
    func `what is too much is popped from the top`() {
        #expect(steps("abc", "a") == [.pop("c", at: 2), .pop("b", at: 1)])
        #expect(steps("ab", "") == [.pop("b", at: 1), .pop("a", at: 0)])
    }

    @Test
    func `where both go on differently, there are pops, one change and pushes`() {
        #expect(steps("ab", "ac") == [.change("b", to: "c", at: 1)])
        #expect(
            steps("abcd", "axyz") == [
                .pop("d", at: 3), .pop("c", at: 2), .change("b", to: "x", at: 1),
                .push("y", at: 2), .push("z", at: 3),
            ])
        #expect(
            steps("abc", "x") == [
                .pop("c", at: 2), .pop("b", at: 1), .change("a", to: "x", at: 0),
            ])
    }

    @Test
    func `taken one after the other, the steps lead from any stack to any other`() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<scaled(2_000) {
            let stacks = (0..<2).map { _ in
                (0..<Int.random(in: 0..<6, using: &generator)).map { _ in
                    Int.random(in: 0..<3, using: &generator)
                }
            }
            let steps = NavigationStep.steps(from: stacks[0], to: stacks[1])
            var shown = stacks[0]
            for step in steps {
                switch step {
                case .pop(let old, let index):
                    try #require(index == shown.count - 1)
                    try #require(shown.removeLast() == old)
                case .change(let old, let new, let index):
                    try #require(index == shown.count - 1)
                    try #require(shown[index] == old && old != new)
                    shown[index] = new
                case .push(let new, let index):
                    try #require(index == shown.count)
                    shown.append(new)
                }
            }
            #expect(shown == stacks[1])
            let kept = zip(stacks[0], stacks[1]).prefix { $0 == $1 }.count
            let (left, come) = (stacks[0].count - kept, stacks[1].count - kept)
            #expect(steps.count == left + come - (min(left, come) > 0 ? 1 : 0))
        }
    }
}
