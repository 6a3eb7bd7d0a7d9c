// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardSelectors
@testable import TestSupport

/// Selectors that are made of selectors, in shapes that cost more than their number if each way is walked.
@Suite struct SelectorGraphTests {
    /// Each is made of the two before it.
    private func ladder(_ height: Int) -> [StateSelector<Shop, Int>] {
        var rungs = [
            StateSelector<Shop, Int>(\.limit) { $0 }, StateSelector<Shop, Int>(\.limit) { $0 + 1 },
        ]
        while rungs.count <= height {
            rungs.append(StateSelector(rungs[rungs.count - 1], rungs[rungs.count - 2]) { $0 &+ $1 })
        }
        return rungs
    }

    /// Runs `body` on a thread with a stack of 512 KB, as those of actors are on Apple's systems.
    private static func onSmallStack(_ body: @escaping @Sendable () -> Void) {
        let isOver = DispatchSemaphore(value: 0)
        let thread = Thread {
            body()
            isOver.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        isOver.wait()
    }

    /// Each member is made of the one before it.
    private static let families: [SelectorFamily<Shop, Int, Int>] = [
        SelectorFamily { number in
            number == 0
                ? StateSelector(\.limit) { $0 } : StateSelector(families[0](number - 1)) { $0 + 1 }
        }
    ]

    private static func chain(_ length: Int) -> StateSelector<Shop, Int> {
        var end = StateSelector<Shop, Int>(\.limit) { $0 }
        for _ in 1..<length { end = StateSelector(end) { $0 &+ 1 } }
        return end
    }

    @Test
    func `a selector to which many ways lead is checked once for a version`() {
        let store = makeShop()
        let rungs = ladder(40)
        let token = store.subscribe(.selector(rungs[40])) { _, _ in }
        let bottom = { store.diagnostics.statistics(of: rungs[0]) }
        let before = bottom()
        store.dispatch(ShopAction.limit(3))
        #expect(bottom().evaluations == before.evaluations + 1)
        #expect(bottom().hits <= before.hits + 4)
        let notified = bottom()
        _ = store.value(of: .selector(rungs[40]))
        #expect(bottom().hits == notified.hits)
        store.dispatch(ShopAction.name("Elsewhere"))
        _ = store.value(of: .selector(rungs[40]))
        #expect(bottom().hits <= notified.hits + 4)
        #expect(bottom().evaluations == notified.evaluations)
        token.cancel()
    }

    @Test
    func `that holds for reads ahead of deliveries, for choices, and for a state in no store`() {
        let store = makeShop()
        let rungs = ladder(40)
        let values = Log<Int>()
        let token = store.subscribe(.selector(rungs[40])) { _, new in
            if new % 2 == 0, store.state.limit < 6 {
                store.dispatch(ShopAction.limit(store.state.limit + 1))
                values.append(store.value(of: .selector(rungs[40])))
            }
        }
        for limit in 3...5 { store.dispatch(ShopAction.limit(limit)) }
        #expect(store.diagnostics.statistics(of: rungs[0]).hits < 1_000)
        token.cancel()

        var choices = [
            StateSelector<Shop, Int>(\.limit) { $0 }, StateSelector<Shop, Int>(\.limit) { $0 + 1 },
        ]
        while choices.count <= 60 {
            let (last, other) = (choices[choices.count - 1], choices[choices.count - 2])
            choices.append(SelectorFamily<Shop, Int, Int> { _ in other }(last))
        }
        #expect(SelectorReader(Shop()).value(of: choices[60]) == 2)
        #expect(store.value(of: .selector(choices[60])) == store.state.limit)
    }

    @Test
    func `a chain of selectors needs no stack for its length`() async {
        await #expect(processExitsWith: .success) {
            Self.onSmallStack {
                let store = makeShop()
                let end = Self.chain(400)
                let notified = Log<Int>()
                let token = store.subscribe(.selector(end)) { _, new in notified.append(new) }
                store.dispatch(ShopAction.limit(7))
                precondition(notified.all == [406])
                precondition(store.value(of: .selector(end)) == 406)
                token.cancel()
                precondition(SelectorReader(Shop()).value(of: end) == 401)
                let family = Self.families[0]
                precondition(SelectorReader(Shop()).value(of: family(28)) == 30)
            }
            exit(0)
        }
    }

    @Test
    func `the code of a family's parameter may read selectors`() {
        struct Key: Hashable, Sendable {
            let number: Int
            let read: @Sendable () -> Void

            static func == (left: Key, right: Key) -> Bool {
                left.read()
                return left.number == right.number
            }

            func hash(into hasher: inout Hasher) {
                read()
                hasher.combine(number)
            }
        }
        let store = makeShop()
        let double = StateSelector<Shop, Int>(\.limit) { $0 * 2 }
        let family = SelectorFamily<Shop, Key, Int> { key in
            StateSelector(\.limit) { $0 + key.number }
        }
        let properties = SelectorFamily<Shop, Key, Int> { _ in StateSelector(\.limit) }
        let read: @Sendable () -> Void = { _ = store.value(of: .selector(double)) }
        let notified = Log<Int>()
        let tokens = (0..<2).flatMap { _ in
            [
                store.subscribe(.selector(family(Key(number: 1, read: read)))) { _, new in
                    notified.append(new)
                },
                store.subscribe(.selector(properties(Key(number: 1, read: read)))) { _, new in
                    notified.append(new)
                },
            ]
        }
        store.dispatch(ShopAction.limit(7))
        #expect(notified.all.sorted() == [7, 7, 8, 8])
        #expect(store.value(of: .selector(family(Key(number: 1, read: read)))) == 8)
        for token in tokens { token.cancel() }
        #expect(store.value(of: .selector(family(Key(number: 2, read: read)))) == 9)
    }
}
