// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward
import OnwardNavigation
import OnwardReports

/// The fault: an open card can be flipped again, and makes a pair with itself.
enum MemoryTunesApp: FaultyApp {
    static let start = MemoryTunes()
    static let reducers = memoryTunesReducers
    static let redaction = Redaction<MemoryTunes>().checking("moves") { $0.game.moves }

    static func hasFault(_ app: MemoryTunes) -> Bool {
        !app.game.cards.count { $0.face == .guessed }.isMultiple(of: 2)
    }

    static let promise = "cards are guessed in pairs"
    static let expectation = "state.game.cards.count { $0.face == .guessed }.isMultiple(of: 2)"
    static let making = "Store(MemoryTunes()) { memoryTunesReducers }"
    static let modules = ["MemoryTunesCore"]

    /// A player in one tab; while it is careful, only closed cards are flipped.
    struct User: FaultyAppUser {
        var random: Generator
        private var hasTab = false

        init(random: Generator) { self.random = random }

        mutating func act(on store: Store<MemoryTunes>, isCareful: Bool) {
            let (app, game) = (store.state, store.state.game)
            if !hasTab {
                hasTab = true
                store.dispatch(TabAction.open("the tab", at: RouteStack(Screen.menu)))
            } else if let number = game.awaited {
                let covers = (0..<10).map { _ in
                    Cover(address: "https://\(random.text())", title: random.text())
                }
                store.dispatch(
                    GameEvent.dealt(game: number, covers: covers, isOwn: false, seed: random.next())
                )
            } else if !game.isPlaying || Int.random(in: 0..<500, using: &random) == 0 {
                store.dispatch(NavigationAction.push(Screen.game))
                store.dispatch(GameAction.start(category: app.categories.current, tab: "the tab"))
            } else {
                switch Int.random(in: 0..<10, using: &random) {
                case 0: store.dispatch(GameEvent.tick)
                case 1:
                    guard let category = Category.allCases.randomElement(using: &random) else {
                        return
                    }
                    store.dispatch(CategoriesAction.choose(category: category))
                case 2: store.dispatch(NavigationAction<Screen>.popToRoot)
                default:
                    let cards = game.cards.filter { !isCareful || $0.face == .closed }
                    guard let card = cards.randomElement(using: &random) else { return }
                    store.dispatch(GameAction.flip(card: card.id))
                }
            }
        }
    }
}
