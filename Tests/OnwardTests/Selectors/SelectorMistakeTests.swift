// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardSelectors
@testable import TestSupport

/// Selectors that come back to themselves through a store that they read, which they must not do.
private enum Loops {
    static let store = makeShop(
        options: StoreOptions(
            onProgrammerError: { mistake in
                exit([.selectorOfItself, .selectorsTooDeep].contains(mistake.kind) ? 42 : 1)
            }))

    static let direct: StateSelector<Shop, Int> = StateSelector(\.limit) { _ in
        store.value(of: .selector(direct))
    }

    static let first: StateSelector<Shop, Int> = StateSelector(\.limit) { _ in
        store.value(of: .selector(second))
    }
    static let second: StateSelector<Shop, Int> = StateSelector(\.limit) { _ in
        store.value(of: .selector(first))
    }

    static let family: SelectorFamily<Shop, Int, Int> = SelectorFamily { number in
        StateSelector(family(number)) { $0 + 1 }
    }
    static let mirror: SelectorFamily<Shop, Int, Int> = SelectorFamily { mirror($0) }
    static let endless: SelectorFamily<Shop, Int, Int> = SelectorFamily { number in
        StateSelector(endless(number + 1)) { $0 + 1 }
    }
    static let chosen: StateSelector<Shop, Int> = SelectorFamily { (_: Int) in chosen }(\.limit)
}

@Suite struct SelectorMistakeTests {
    @Test
    func `a selector that depends on itself is reported, directly or through another`() async {
        await #expect(processExitsWith: .exitCode(42)) {
            _ = Loops.store.value(of: .selector(Loops.direct))
        }
        await #expect(processExitsWith: .exitCode(42)) {
            _ = Loops.store.value(of: .selector(Loops.first))
        }
        await #expect(processExitsWith: .exitCode(42)) {
            _ = Loops.store.subscribe(.selector(Loops.second)) { _, _ in }
        }
    }

    @Test
    func `a member of a family that depends on itself is reported`() async {
        await #expect(processExitsWith: .exitCode(42)) {
            _ = Loops.store.value(of: .selector(Loops.family(7)))
        }
        await #expect(processExitsWith: .exitCode(42)) {
            _ = Loops.store.value(of: .selector(Loops.mirror(7)))
        }
    }

    @Test
    func `a family whose parameter chooses the selector that asks is reported`() async {
        await #expect(processExitsWith: .exitCode(42)) {
            _ = Loops.store.value(of: .selector(Loops.chosen))
        }
        await #expect(processExitsWith: .exitCode(42)) {
            _ = Loops.store.subscribe(.selector(Loops.chosen)) { _, _ in }
        }
    }

    @Test
    func `the report says what, which selector, why, and how to fix it`() {
        #expect(
            ProgrammerError.selectorOfItself(ActionOrigin(file: "App/Views.swift", line: 12), 7)
                .description == """
                    The selector made at App/Views.swift:12 for the parameter 7 was asked for its own \
                    value while that was being computed. A selector is a pure function of its inputs, \
                    and a value that is needed to compute itself is never known. To fix this, take what \
                    it needs from properties of the state or from other selectors that don't lead back \
                    to it, and don't read the store inside a selector's closure.
                    """)
        #expect(
            ProgrammerError.selectorOfItself(ActionOrigin(file: "App/Views.swift", line: 12), nil)
                .description
                .hasPrefix("The selector made at App/Views.swift:12 was asked for its own"))
    }

    @Test
    func `selectors that lead to selectors without an end are reported`() async {
        await #expect(processExitsWith: .exitCode(42)) {
            _ = Loops.store.value(of: .selector(Loops.endless(0)))
        }
        await #expect(processExitsWith: .exitCode(42)) {
            var end = StateSelector<Shop, Int>(\.limit) { $0 }
            for _ in 0..<600 { end = StateSelector(end) { $0 + 1 } }
            _ = Loops.store.value(of: .selector(end))
        }
        #expect(
            ProgrammerError.selectorsTooDeep(
                ActionOrigin(file: "App/Views.swift", line: 12), 7, 501
            ).description
                == """
                The selector made at App/Views.swift:12 for the parameter 7 is one of more than 500 \
                selectors of which each is made of the next one. Each takes a piece of the stack, so \
                there may be 500, or 32 where families make them, whose members may be made of others \
                without an end. To fix this, end the chain, or compute several of its steps in one \
                closure.
                """)
    }

    @Test
    func `a selector that is made anew for each read is reported once`() {
        let mistakes = Mistakes()
        let store = makeShop(options: mistakes.options())
        func read() -> Int { store.value(of: .selector(StateSelector(\.limit) { $0 * 2 })) }
        for _ in 0..<2 { #expect(read() == 4) }
        #expect(mistakes.kinds.isEmpty)
        for _ in 0..<3 { #expect(read() == 4) }
        #expect(mistakes.kinds == [.selectorMadeAnew])
        #expect(
            ProgrammerError.selectorMadeAnew(ActionOrigin(file: "App/Views.swift", line: 12))
                .description == """
                    The selector made at App/Views.swift:12 was made anew each time that it was read. A \
                    store knows a selector by the value that was made, not by its closure, so it computes \
                    everything with each read and uses none of it again. To fix this, make the selector \
                    once, as in `static let open = StateSelector(…)`, and read that. For one that depends on a \
                    value, keep a SelectorFamily in the constant and read its member: `openOf(owner)`.
                    """)
    }

    @Test
    func `selectors of one line that are kept, or found by a parameter, are no mistake`() {
        let mistakes = Mistakes()
        let store = makeShop(options: mistakes.options())
        let kept = (0..<10).map { number in StateSelector<Shop, Int>(\.limit) { $0 + number } }
        let family = SelectorFamily<Shop, Int, Int> { number in
            StateSelector(\.limit) { $0 + number }
        }
        for _ in 0..<3 {
            for (number, selector) in kept.enumerated() {
                #expect(store.value(of: .selector(selector)) == 2 + number)
                #expect(store.value(of: .selector(family(number))) == 2 + number)
            }
        }
        #expect(mistakes.kinds.isEmpty)
    }

    @Test
    func `a closure that reads and dispatches, which it should not, does not deadlock`() {
        let store = makeShop()
        let other = StateSelector<Shop, Int>(\.limit) { $0 * 10 }
        let selector = StateSelector<Shop, Int>(\.limit) { [weak store] limit in
            if limit == 3 { store?.dispatch(ShopAction.limit(4)) }
            return (store?.value(of: .selector(other)) ?? 0) + limit
        }
        let recorder = Recorder<Int>()
        let token = store.subscribe(.selector(selector), recorder.record)
        store.dispatch(ShopAction.limit(3))
        #expect(store.state.limit == 4)
        #expect(recorder.values.last == 44)
        #expect(store.value(of: .selector(selector)) == 44)
        token.cancel()
        store.dispatch(ShopAction.limit(3))
        #expect(store.value(of: .selector(selector)) == 43)
        #expect(store.value(of: .selector(selector)) == 44)
    }
}
