// SPDX-License-Identifier: MIT

public import Onward

/// A game of pairs, from the fetching of its covers to its end.
public struct Game: Codable, Equatable, Sendable {
    /// The different covers of a game; there are two cards of each.
    public static let pairCount = 8

    /// Counts the games, so that what belongs to another one is ignored.
    public private(set) var number = 0
    /// The music it is played with.
    public private(set) var category = Category.pop
    /// The tab that it was started in; nil if that has no script.
    public private(set) var tab: String?
    /// The cards in their places, once their covers are loaded.
    public private(set) var deal = Loadable<[Card], Problem>.idle
    /// The cards that the last flip closed.
    public private(set) var closing: [Card.ID] = []
    /// Whether the covers are the app's own, because the catalogue couldn't be reached.
    public private(set) var hasOwnCovers = false
    /// How often a second card was opened.
    public private(set) var moves = 0
    /// For how long it was played.
    public private(set) var seconds = 0
    /// Whether the player is being shown the end.
    public private(set) var isCongratulating = false

    /// No game yet.
    public init() {}

    /// The cards in their places; none before they are dealt.
    public var cards: [Card] { deal.value ?? [] }

    /// Whether all pairs are found.
    public var isFinished: Bool { pairs == Self.pairCount }

    /// Whether cards are dealt, and pairs left.
    public var isPlaying: Bool { deal.isLoaded && !isFinished }

    /// The pairs found so far.
    public var pairs: Int { cards.count { $0.face == .guessed } / 2 }

    /// The number of the game, while it waits for its covers.
    public var awaited: Int? { deal.isLoading ? number : nil }
}

extension Game {
    mutating func apply(_ action: GameAction) {
        switch action {
        case .start(let category, let tab): start(category, tab)
        case .flip(let card): flip(card)
        case .acknowledge: isCongratulating = false
        }
    }

    mutating func apply(_ event: GameEvent) {
        switch event {
        case .dealt(let game, let covers, let isOwn, let seed):
            guard game == awaited else { return }
            hasOwnCovers = isOwn
            shuffle(covers, seed)
        case .failed(let game, let problem): if game == awaited { deal.fail(problem) }
        case .tick: if isPlaying { seconds &+= 1 }
        }
    }

    private mutating func start(_ category: Category, _ tab: String?) {
        let number = number &+ 1
        self = Game()
        (self.number, self.category, self.tab, deal) = (number, category, tab, .loading())
    }

    /// The covers that a game takes of those that were found: the first different ones.
    public static func choice(of found: [Cover]) -> [Cover] {
        var seen: Set<String> = []
        return Array(found.filter { seen.insert($0.address).inserted }.prefix(pairCount))
    }

    private mutating func shuffle(_ found: [Cover], _ seed: UInt64) {
        let choice = Self.choice(of: found)
        guard choice.count == Self.pairCount else {
            return deal.fail(.tooFewCovers(found: choice.count))
        }
        var covers = choice.flatMap { [$0, $0] }
        // Written out, as the library's own shuffle may differ from version to version.
        let generator = RandomSource(seed: seed)
        for last in covers.indices.dropFirst().reversed() {
            covers.swapAt(last, Int(generator.next() % UInt64(last + 1)))
        }
        deal = .loaded(covers.enumerated().map { Card(id: $0.offset, cover: $0.element) })
    }

    private mutating func flip(_ id: Card.ID) {
        guard isPlaying, cards.indices.contains(id), cards[id].face == .closed else { return }
        var open = cards.indices.filter { cards[$0].face == .open }
        closing = open.count == 2 ? open : []
        for index in closing { deal.value?[index].face = .closed }
        deal.value?[id].face = .open
        open = closing.isEmpty ? open + [id] : [id]
        guard open.count == 2 else { return }
        moves &+= 1
        guard cards[open[0]].cover == cards[open[1]].cover else { return }
        for index in open { deal.value?[index].face = .guessed }
        isCongratulating = isFinished
    }
}
