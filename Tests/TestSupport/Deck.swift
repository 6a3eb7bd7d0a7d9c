// SPDX-License-Identifier: MIT

import Onward

@testable import EntityTables

/// A state with a table that any change may be made to.
struct Deck: Equatable, Sendable {
    var cards: EntityTable<Card> = []
    var suit = ""
}

/// Any change of a deck; the log of it does not matter here.
struct DeckAction: Action {
    let change: @Sendable (inout Deck) -> Void

    init(_ change: @escaping @Sendable (inout Deck) -> Void) {
        self.change = change
    }
}

func makeDeck(_ count: Int, options: StoreOptions = StoreOptions()) -> Store<Deck> {
    var deck = Deck()
    for id in 0..<count { deck.cards.append(Card(id: id, title: String(id % 5))) }
    return Store(deck, options: options) {
        Reduce { (deck: inout Deck, action: DeckAction) in action.change(&deck) }
    }
}

extension Store<Deck> {
    func change(_ change: @escaping @Sendable (inout Deck) -> Void) {
        dispatch(DeckAction(change))
    }
}

/// One selector of each kind, and chains of them.
enum Views {
    static let cards = StateSelector<Deck, EntityTable<Card>>(\.cards)
    static let open = cards.filter { $0.isFaceUp }
    static let byTitle = cards.sorted { $0.title < $1.title }
    static let tags = cards.map { Tag(id: $0.id, text: "\($0.title)!") }
    static let bySuit = cards.grouped { $0.title }
    static let openCount = cards.count { $0.isFaceUp }
    static let chain = open.sorted(by: RowOrder(\.title)).map {
        Tag(id: $0.id, text: $0.title)
    }
    static let chainGroups = chain.grouped(by: \.text.count)
    static let sortedOpen = byTitle.filter { $0.isFaceUp }

    struct Tag: Equatable, Sendable, Identifiable {
        let id: Int
        let text: String
    }

    /// What is wrong with the views of a store, compared with plain loops over its state.
    static func faults(in store: Store<Deck>) -> [String] {
        let cards = Array(store.state.cards)
        let open = cards.filter(\.isFaceUp)
        let sorted = cards.sorted { $0.title < $1.title }
        let chain = open.sorted { $0.title < $1.title }.map { Tag(id: $0.id, text: $0.title) }
        let tables = [
            "filter": store.value(of: .selector(Views.open)).elementsEqual(open),
            "sorted": store.value(of: .selector(byTitle)).elementsEqual(sorted),
            "map": store.value(of: .selector(tags))
                .elementsEqual(cards.map { Tag(id: $0.id, text: "\($0.title)!") }),
            "grouped": isSame(
                store.value(of: .selector(bySuit)), Dictionary(grouping: cards, by: \.title)),
            "count": store.value(of: .selector(openCount)) == open.count,
            "chain": store.value(of: .selector(Views.chain)).elementsEqual(chain),
            "chain, grouped": isSame(
                store.value(of: .selector(chainGroups)),
                Dictionary(grouping: chain, by: \.text.count)),
            "sorted, filter": store.value(of: .selector(sortedOpen))
                .elementsEqual(sorted.filter(\.isFaceUp)),
        ]
        store.value(of: .selector(Views.open)).checkInvariants()
        store.value(of: .selector(byTitle)).checkInvariants()
        store.value(of: .selector(Views.chain)).checkInvariants()
        return tables.filter { !$0.value }.keys.sorted()
    }

    private static func isSame<Key, Row: Equatable>(
        _ groups: EntityGroups<Key, Row>, _ plain: [Key: [Row]]
    ) -> Bool {
        groups.count == plain.count
            && groups.allSatisfy { key, rows in
                rows.elementsEqual(plain[key] ?? [])
                    && rows.allSatisfy { groups.key(ofRow: $0.id) == key }
            }
    }

    /// Subscribes to all views, so that they are evaluated by deliveries.
    static func subscribeToAll(of store: Store<Deck>) -> [Subscription] {
        [
            store.subscribe(.selector(open)) { _, _ in },
            store.subscribe(.selector(byTitle)) { _, _ in },
            store.subscribe(.selector(tags)) { _, _ in },
            store.subscribe(.selector(bySuit)) { _, _ in },
            store.subscribe(.selector(openCount)) { _, _ in },
            store.subscribe(.selector(chain)) { _, _ in },
            store.subscribe(.selector(chainGroups)) { _, _ in },
            store.subscribe(.selector(sortedOpen)) { _, _ in },
        ]
    }
}
