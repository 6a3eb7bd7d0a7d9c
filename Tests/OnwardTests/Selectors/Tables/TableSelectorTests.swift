// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import EntityTables
@testable import OnwardCore
@testable import OnwardSelectors
@testable import TestSupport

@Suite struct TableSelectorTests {
    @Test(arguments: 1...24)
    func `views are what plain loops over the state give, after any changes`(seed: UInt64) {
        var run = ViewRun(seed: seed)
        run.perform(steps: 250)
        #expect(run.faults == [:])
    }

    @Test
    func `one changed row is one look at it, not at the others`() {
        let looks = Guarded(0)
        let store = makeDeck(1_000)
        let view = Views.cards
            .filter { _ in
                looks.withValue { $0 += 1 }
                return true
            }
            .map { card in
                looks.withValue { $0 += 1 }
                return card
            }
        let token = store.subscribe(.selector(view)) { _, _ in }
        #expect(looks.withValue { $0 } == 2_000)
        store.change { $0.cards[id: 7]?.isFaceUp = true }
        store.change { $0.cards.remove(id: 8) }
        store.change { $0.cards.move(id: 9, to: 0) }
        store.change { $0.cards.append(Card(id: 5_000)) }
        #expect(looks.withValue { $0 } == 2_006)
        token.cancel()
    }

    @Test
    func `says what changed in a view, so that a list can follow`() {
        let store = makeDeck(10)
        let sets = Log<EntityChanges<Int>>()
        let token = store.subscribe(.table(Views.open)) { old, new in
            sets.append(new.changes(since: old))
        }
        store.change { $0.cards[id: 3]?.isFaceUp = true }
        store.change { $0.cards[id: 3]?.title = "new" }
        store.change { $0.cards[id: 4]?.title = "unseen" }
        store.change { $0.cards[id: 3]?.isFaceUp = false }
        #expect(sets.all.map(\.inserted) == [[3], [], []])
        #expect(sets.all.map(\.updated) == [[], [3], []])
        #expect(sets.all.map(\.removed) == [[], [], [3]])
        token.cancel()
    }

    @Test
    func `a view that stayed as it was is not notified`() {
        let store = makeDeck(10)
        let (rows, counts) = (Recorder<EntityTable<Card>>(), Recorder<Int>())
        let tokens = [
            store.subscribe(.selector(Views.open), rows.record),
            store.subscribe(.selector(Views.openCount), counts.record),
        ]
        store.change { $0.cards[id: 3]?.title = "unseen" }
        store.change { $0.suit = "hearts" }
        #expect(rows.values.isEmpty)
        store.change { $0.cards[id: 3]?.isFaceUp = true }
        store.change { $0.cards[id: 3]?.title = "seen" }
        #expect(rows.values.count == 2)
        #expect(counts.values == [1])
        withExtendedLifetime(tokens) {}
    }

    @Test
    func `an evaluated table is not copied by the next commit`() {
        let store = makeDeck(1_000)
        let token = store.subscribe(.selector(Views.openCount)) { _, _ in }
        store.change { $0.cards[id: 500]?.isFaceUp = true }
        let places = Log<UInt>()
        for number in 0..<3 {
            store.change { deck in
                deck.cards.update(id: 500) { card in
                    card.title = "\(number)"
                    places.append(withUnsafePointer(to: &card) { UInt(bitPattern: $0) })
                }
            }
        }
        #expect(Set(places.all).count == 1)
        token.cancel()
    }

    @Test
    func `a mapped row keeps its id, and a text says so`() async {
        await #expect(processExitsWith: .failure) {
            let store = makeDeck(2)
            _ = store.value(of: .selector(Views.cards.map { Views.Tag(id: $0.id + 1, text: "") }))
        }
        #expect(
            EntityTableMistake.unkeptID(1, 2, of: Card.self) == """
                The closure of a selector's map or join made a Card with the id 2 of the row with \
                the id 1. A new row has the id of the old one, since changes of the table are \
                followed by it. To fix this, give it that id.
                """)
    }
}

/// Random changes of a deck whose views are compared with plain loops after each.
private struct ViewRun {
    /// By the name of the view, the first step after which it was wrong.
    var faults: [String: Int] = [:]
    private let store = makeDeck(60)
    private let controller: CommitGateController<Deck>
    private var states: [Deck] = []
    private var random: SeededGenerator
    private var tokens: [Subscription] = []
    private let shown: Guarded<EntityTable<Views.Tag>>
    private let isFollowing: Bool

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        controller = store.log.attach(gate: AcceptAll())
        // A third of the runs have no subscribers, so that views are evaluated by reads alone.
        isFollowing = seed % 3 != 0
        let shown = Guarded<EntityTable<Views.Tag>>(store.value(of: .selector(Views.chain)))
        self.shown = shown
        guard isFollowing else { return }
        tokens = Views.subscribeToAll(of: store)
        tokens.append(
            store.subscribe(.table(Views.chain)) { old, new in
                shown.withValue { $0 = $0.applying(new.changes(since: old), from: new) }
            })
    }

    mutating func perform(steps: Int) {
        for step in 1...steps {
            performOne()
            var wrong = Views.faults(in: store)
            let table = store.value(of: .selector(Views.chain))
            if isFollowing, shown.withValue({ $0 != table }) { wrong.append("changes") }
            for fault in wrong { faults[fault] = faults[fault] ?? step }
            if step % 10 == 0 { states.append(store.state) }
        }
    }

    private mutating func performOne() {
        let id = Int.random(in: 0..<90, using: &random)
        let place = Int.random(in: 0..<200, using: &random)
        let title = String(Int.random(in: 0..<12, using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0: store.change { $0.cards = [] }
        case 1:
            let ids = Array(0..<80).shuffled(using: &random)
            store.change { deck in
                for (place, id) in ids.enumerated() where deck.cards[id: id] != nil {
                    deck.cards.move(id: id, to: place % deck.cards.count)
                }
            }
        case 2:
            if let state = states.randomElement(using: &random) {
                controller.install(state, replacing: store.log.version)
            }
        case 3:
            // More than the log remembers.
            let ids = (0..<1_200).map { _ in Int.random(in: 0..<90, using: &random) }
            store.change { deck in
                for id in ids { Self.change(&deck, id, place: id * 7, title: String(id % 6)) }
            }
        case 4:
            store.change { deck in
                let sorted = deck.cards.sorted(by: RowOrder { $0.title > $1.title })
                deck.cards = EntityTable(sorted) { first, _ in first }
            }
        case 5:
            store.batch {
                for step in 0..<5 {
                    let id = (id + step * 13) % 90
                    store.change { Self.change(&$0, id, place: place + step, title: title) }
                }
            }
        case 6:
            let old = store.state.cards
            store.change { deck in
                var cards = old
                Self.change(&cards, id, place: place, title: title)
                deck.cards = cards
            }
        case 7, 8:
            store.change { deck in
                for step in 0..<8 {
                    Self.change(&deck, (id + step * step) % 90, place: place + step, title: title)
                }
            }
        default: store.change { Self.change(&$0, id, place: place, title: title) }
        }
    }

    private static func change(_ deck: inout Deck, _ id: Int, place: Int, title: String) {
        change(&deck.cards, id, place: place, title: title)
    }

    private static func change(
        _ cards: inout EntityTable<Card>, _ id: Int, place: Int, title: String
    ) {
        switch place % 8 {
        case 0: cards.remove(id: id)
        case 1, 2: cards.update(id: id) { $0.title = title }
        case 3: cards[id: id]?.isFaceUp.toggle()
        case 4 where !cards.isEmpty:
            cards.move(id: id, to: place % cards.count)
        case 5:
            cards.insert(Card(id: id, title: title, isFaceUp: true), at: place % (cards.count + 1))
        default: cards.append(Card(id: id, title: title, isFaceUp: place % 3 == 0))
        }
    }
}
