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
            misuse: MisuseHandler { misuse in exit(misuse.kind == .selectorOfItself ? 42 : 1) }))

    static let direct: Selector<Shop, Int> = Selector(\.limit) { _ in
        store.value(of: .selector(direct))
    }

    static let first: Selector<Shop, Int> = Selector(\.limit) { _ in
        store.value(of: .selector(second))
    }
    static let second: Selector<Shop, Int> = Selector(\.limit) { _ in
        store.value(of: .selector(first))
    }

    static let family: SelectorFamily<Shop, Int, Int> = SelectorFamily { number in
        Selector(family(number)) { $0 + 1 }
    }
    static let mirror: SelectorFamily<Shop, Int, Int> = SelectorFamily { mirror($0) }
    static let chosen: Selector<Shop, Int> = SelectorFamily { (_: Int) in chosen }(\.limit)
}

@Suite struct SelectorMisuseTests {
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
            Misuse.selectorOfItself(Origin(file: "App/Views.swift", line: 12), 7).description == """
                The selector made at App/Views.swift:12 for the parameter 7 was asked for its own \
                value while that was being computed. A selector is a pure function of its inputs, \
                and a value that is needed to compute itself is never known. To fix this, take what \
                it needs from properties of the state or from other selectors that don't lead back \
                to it, and don't read the store inside a selector's closure.
                """)
        #expect(
            Misuse.selectorOfItself(Origin(file: "App/Views.swift", line: 12), nil).description
                .hasPrefix("The selector made at App/Views.swift:12 was asked for its own"))
    }

    @Test
    func `a closure that reads and dispatches, which it should not, does not deadlock`() {
        let store = makeShop()
        let other = Selector<Shop, Int>(\.limit) { $0 * 10 }
        let selector = Selector<Shop, Int>(\.limit) { [weak store] limit in
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
