// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardSelectors
@testable import TestSupport

@Suite struct SelectorStressTests {
    @Test
    func `subscribers are notified in order, and readers read their writes, on many threads`() async
    {
        let store = makeShop()
        let ten = StateSelector<Shop, Int>(\.visits) { $0 * 10 }
        let text = StateSelector(ten, StateSelector(\.name)) { "\($1) \($0)" }
        let violations = Guarded(0)
        let tokens = (0..<4).map { _ in
            let last = Guarded(0)
            return store.subscribe(.selector(ten)) { old, new in
                let isRight = last.withValue { last in
                    defer { last = new }
                    return last == old && new > old
                }
                if !isRight { violations.withValue { $0 += 1 } }
            }
        }
        let each = scaled(3_000)
        onThreads(8) { thread in
            var seen = 0
            for index in 0..<each {
                store.dispatch(ShopAction.visit)
                let value = store.value(of: .selector(ten))
                if value < seen + 10 { violations.withValue { $0 += 1 } }
                seen = value
                if store.value(of: .selector(text)) < "Corner" { violations.withValue { $0 += 1 } }
                if index % 50 == thread {
                    let token = store.subscribe(.selector(text)) { _, _ in }
                    token.cancel()
                }
            }
        }
        await store.waitUntilIdle()
        #expect(violations.withValue { $0 } == 0)
        #expect(store.value(of: .selector(ten)) == each * 80)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `with subscribers alone there is one evaluation for each round, whoever makes it`() async {
        let store = makeShop()
        let ten = StateSelector<Shop, Int>(\.visits) { $0 * 10 }
        let tokens = (0..<10).map { _ in store.subscribe(.selector(ten)) { _, _ in } }
        let each = scaled(2_000)
        onThreads(8) { _ in
            for _ in 0..<each { store.dispatch(ShopAction.visit) }
        }
        await store.waitUntilIdle()
        #expect(store.diagnostics.statistics(of: ten).evaluations <= each * 8 + 1)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `threads that read one state at once evaluate it once`() {
        let store = makeShop()
        let slow = StateSelector<Shop, Int>(\.visits) { visits in
            (0..<20_000).reduce(visits) { $0 &+ $1 }
        }
        let outer = StateSelector(slow) { $0 + 1 }
        for _ in 0..<scaled(50) {
            let before = store.diagnostics.statistics(of: slow).evaluations
            store.dispatch(ShopAction.visit)
            onThreads(4) { _ in _ = store.value(of: .selector(outer)) }
            #expect(store.diagnostics.statistics(of: slow).evaluations == before + 1)
        }
    }

    @Test
    func `views of tables are of one state, while many threads change, read and subscribe`() async {
        let store = makeDeck(50)
        // Two ways to the same number; different states would notify different ones.
        let agreement = StateSelector(Views.openCount, Views.chain.count(), Views.sortedOpen) {
            $0 == $1 && $0 == $2.count
        }
        let violations = Guarded(0)
        let tokens = Views.subscribeToAll(of: store)
        let watch = store.subscribe(.selector(agreement)) { _, new in
            if !new { violations.withValue { $0 += 1 } }
        }
        let each = scaled(100)
        onThreads(8) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for step in 0..<each {
                let id = Int.random(in: 0..<80, using: &random)
                store.change { deck in
                    switch step % 5 {
                    case 0: deck.cards.append(Card(id: id, title: "\(id % 3)", isFaceUp: true))
                    case 1: deck.cards.remove(id: id)
                    case 2: deck.cards[id: id]?.title = "\(step % 7)"
                    default: deck.cards[id: id]?.isFaceUp.toggle()
                    }
                }
                if !store.value(of: .selector(agreement)) { violations.withValue { $0 += 1 } }
                if step % 20 == 0 {
                    let token = store.subscribe(.table(Views.byTitle)) { _, _ in }
                    token.cancel()
                }
            }
        }
        await store.waitUntilIdle()
        #expect(violations.withValue { $0 } == 0)
        #expect(Views.faults(in: store).isEmpty)
        withExtendedLifetime((tokens, watch)) {}
    }

    @Test(.timeLimit(.minutes(5)))
    func `selectors that read each other's stores, which they should not, never deadlock`() {
        let (left, right) = (makeShop(), makeShop())
        let (ofLeft, ofRight) = (
            StateSelector<Shop, Int>(\.visits) { $0 }, StateSelector<Shop, Int>(\.visits) { $0 }
        )
        let viaRight = StateSelector<Shop, Int>(\.visits) { [weak right] visits in
            visits + (right?.value(of: .selector(ofRight)) ?? 0)
        }
        let viaLeft = StateSelector<Shop, Int>(\.visits) { [weak left] visits in
            visits + (left?.value(of: .selector(ofLeft)) ?? 0)
        }
        let crossing = StateSelector<Shop, Int>(\.visits) { [weak right] _ in
            right?.value(of: .selector(viaLeft)) ?? 0
        }
        let backwards = StateSelector<Shop, Int>(\.visits) { [weak left] _ in
            left?.value(of: .selector(viaRight)) ?? 0
        }
        let tokens = [
            left.subscribe(.selector(viaRight)) { _, _ in },
            right.subscribe(.selector(viaLeft)) { _, _ in },
            left.subscribe(.selector(crossing)) { _, _ in },
            right.subscribe(.selector(backwards)) { _, _ in },
        ]
        onThreads(4) { thread in
            for _ in 0..<scaled(2_000) {
                let (near, far) = thread % 2 == 0 ? (left, right) : (right, left)
                near.dispatch(ShopAction.visit)
                _ = near.value(of: .selector(thread % 2 == 0 ? crossing : backwards))
                _ = far.value(of: .selector(thread % 2 == 0 ? viaLeft : viaRight))
            }
        }
        #expect(left.state.visits == right.state.visits)
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `a filter, its parameter and what is made of them are of one state, on many threads`()
        async
    {
        let store = makeBook(60)
        // Several ways to the same numbers; different states would notify different ones.
        let plain = StateSelector<Book, Int>(\.self) { book in
            book.bookings.reduce(0) { $1.cents >= book.least ? $0 + $1.cents : $0 }
        }
        let ways = [
            BookSelectors.greatCents,
            BookSelectors.chosen.sum { $0.cents },
            StateSelector(BookSelectors.great.grouped { $0.account }.sum { $0.cents }) { sums in
                sums.reduce(0) { $0 + $1.value }
            },
        ]
        let violations = Guarded(0)
        let tokens = ways.map { way in
            store.subscribe(.selector(StateSelector(way, plain) { $0 - $1 }), initially: true) {
                _, difference in
                if difference != 0 { violations.withValue { $0 += 1 } }
            }
        }
        let differences = ways.map { StateSelector($0, plain) { $0 - $1 } }
        onThreads(8) { thread in
            for step in 0..<scaled(60) {
                let id = (thread * 31 + step * 17) % 70
                switch (thread + step) % 4 {
                case 0: store.change { $0.least = id }
                case 1: store.change { $0.bookings[id: id]?.cents = step % 90 }
                case 2: store.change { $0.bookings.remove(id: id) }
                default:
                    store.change {
                        $0.bookings.append(Booking(id: id, account: id % 5, cents: step % 80))
                    }
                }
                for difference in differences where store.value(of: .selector(difference)) != 0 {
                    violations.withValue { $0 += 1 }
                }
            }
        }
        await store.waitUntilIdle()
        #expect(violations.withValue { $0 } == 0)
        withExtendedLifetime(tokens) {}
    }
}
