// SPDX-License-Identifier: MIT

import Onward

/// A game of pairs, from the fetching of its covers to its end.
public struct Game: Codable, Equatable, Sendable {
    /// The stages of a game.
    public enum Phase: Codable, Equatable, Sendable {
        case idle, loading, failed(Problem), playing, finished
    }

    /// The different covers of a game; there are two cards of each.
    public static let pairCount = 8

    /// Counts the games, so that what belongs to another one is ignored.
    public private(set) var number = 0
    /// The music it is played with.
    public private(set) var category = Category.pop
    /// The tab that it was started in; nil if that has no script.
    public private(set) var tab: String?
    /// Where the game stands.
    public private(set) var phase = Phase.idle
    /// The cards in their places.
    public private(set) var cards: [Card] = []
    /// The cards that the last flip closed.
    public private(set) var closing: [Card.ID] = []
    /// Whether the covers are the app's own, because the catalogue couldn't be reached.
    public private(set) var hasOwnCovers = false
    /// How often a second card was opened.
    public private(set) var moves = 0
    /// For how long it was played.
    public private(set) var seconds = 0
    /// Whether the player is being told of the end.
    public private(set) var isCongratulating = false

    /// No game yet.
    public init() {}

    /// The pairs found so far.
    public var pairs: Int { cards.count { $0.face == .guessed } / 2 }

    /// The number of the game, while it waits for its covers.
    public var awaited: Int? { phase == .loading ? number : nil }
}

extension Game {
    mutating func apply(_ action: GameAction) {
        switch action {
        case .start(let category, let tab): start(category, tab)
        case .flip(let card): if phase == .playing { flip(card) }
        case .acknowledge: isCongratulating = false
        }
    }

    mutating func apply(_ event: GameEvent) {
        switch event {
        case .dealt(let game, let covers, let isOwn, let seed):
            guard game == awaited else { return }
            hasOwnCovers = isOwn
            deal(covers, seed)
        case .failed(let game, let problem): if game == awaited { phase = .failed(problem) }
        case .tick: if phase == .playing { seconds &+= 1 }
        }
    }

    private mutating func start(_ category: Category, _ tab: String?) {
        let number = number &+ 1
        self = Game()
        (self.number, self.category, self.tab, phase) = (number, category, tab, .loading)
    }

    /// The covers that a game takes of those that were found: the first different ones.
    public static func choice(of found: [Cover]) -> [Cover] {
        var seen: Set<String> = []
        return Array(found.filter { seen.insert($0.address).inserted }.prefix(pairCount))
    }

    private mutating func deal(_ found: [Cover], _ seed: UInt64) {
        let choice = Self.choice(of: found)
        guard choice.count == Self.pairCount else {
            phase = .failed(.tooFewCovers(found: choice.count))
            return
        }
        var covers = choice.flatMap { [$0, $0] }
        // Written out, as the library's own shuffle may differ from version to version.
        let generator = RandomSource(seed: seed)
        for last in covers.indices.dropFirst().reversed() {
            covers.swapAt(last, Int(generator.next() % UInt64(last + 1)))
        }
        cards = covers.enumerated().map { Card(id: $0.offset, cover: $0.element) }
        phase = .playing
    }

    private mutating func flip(_ id: Card.ID) {
        guard cards.indices.contains(id), cards[id].face == .closed else { return }
        var open = cards.indices.filter { cards[$0].face == .open }
        closing = open.count == 2 ? open : []
        for index in closing { cards[index].face = .closed }
        cards[id].face = .open
        open = closing.isEmpty ? open + [id] : [id]
        guard open.count == 2 else { return }
        moves &+= 1
        guard cards[open[0]].cover == cards[open[1]].cover else { return }
        for index in open { cards[index].face = .guessed }
        guard pairs == Self.pairCount else { return }
        (phase, isCongratulating) = (.finished, true)
    }
}
