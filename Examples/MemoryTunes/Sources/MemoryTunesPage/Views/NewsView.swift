// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward

/// What a screen reader says by itself: what the last flip led to, or why there are no cards.
struct NewsView: Equatable, Sendable {
    let text: String

    init(_ state: MemoryTunes, at screen: Screen) {
        let game = state.game
        let open = CardView.all(of: game).filter { $0.look == "open" }.map(\.label)
        text =
            switch game.deal {
            case _ where screen == .categories: "\(state.categories.current.rawValue) is chosen."
            case _ where screen != .game, .idle: ""
            case .loading: "Loading covers…"
            case .failed(let problem, _): problem.reason
            case _ where game.isFinished: "All pairs are found."
            case .loaded where open.isEmpty:
                game.moves == 0 ? "The cards are dealt." : "A pair. \(game.pairs) found."
            case .loaded: (open + (open.count == 2 ? ["No pair."] : [])).joined(separator: ". ")
            }
    }
}
