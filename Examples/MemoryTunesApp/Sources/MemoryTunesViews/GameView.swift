// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward
import SwiftUI

/// The game: its cards, or why there are none.
struct GameView: View {
    @Bindable var game: FeatureStore<Game, GameAction>
    let categories: FeatureStore<Categories, CategoriesAction>

    var body: some View {
        VStack(spacing: 20) {
            if let reason = game[\.deal.failure]?.reason {
                ContentUnavailableView {
                    Label("No covers", systemImage: "wifi.slash")
                } description: {
                    Text(reason)
                } actions: {
                    Button("Try again") { startAnew() }
                }
            } else if game[\.deal.isLoaded] {
                Score(game: game)
                Board(game: game)
                if game[\.hasOwnCovers] {
                    Text("The catalogue can't be reached, so these covers are the app's own.")
                        .font(.footnote)
                        .foregroundStyle(.secondary)
                }
                Spacer()
            } else {
                ProgressView("Looking for covers")
            }
        }
        .padding()
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .background { Ground() }
        .navigationTitle(game[\.category].rawValue)
        .toolbar {
            Button("New game", systemImage: "arrow.clockwise") { startAnew() }
                .keyboardShortcut("r")
        }
        .alert(
            "All pairs found!",
            isPresented: $game[\.isCongratulating, sending: .action { _ in .acknowledge }]
        ) {
            Button("New game") { startAnew() }
            Button("Done", role: .cancel) {}
        } message: {
            Text("\(game[\.moves]) moves in \(game[\.time]).")
        }
    }

    private func startAnew() {
        game.send(.start(category: categories.state.current))
    }
}

/// Moves, pairs and time.
private struct Score: View {
    let game: FeatureStore<Game, GameAction>

    var body: some View {
        HStack(spacing: 10) {
            Pill("\(game[\.moves])", "hand.tap", spoken: "\(game[\.moves]) moves")
            Pill(
                "\(game[\.pairs]) of \(Game.pairCount)", "square.on.square",
                spoken: "\(game[\.pairs]) of \(Game.pairCount) pairs")
            Clock(game: game)
        }
    }
}

/// The time played: a view of its own, so that a tick draws nothing else.
private struct Clock: View {
    let game: FeatureStore<Game, GameAction>

    var body: some View {
        Pill(game[\.time], "clock", spoken: "Time \(game[\.time])")
    }
}

/// A figure with its sign.
private struct Pill: View {
    let text: String
    let symbol: String
    let spoken: String

    init(_ text: String, _ symbol: String, spoken: String) {
        (self.text, self.symbol, self.spoken) = (text, symbol, spoken)
    }

    var body: some View {
        HStack(spacing: 6) {
            Image(systemName: symbol).foregroundStyle(.tint)
            Text(text).monospacedDigit()
        }
        .font(.headline)
        .padding(.horizontal, 12)
        .padding(.vertical, 8)
        .background(.thinMaterial, in: .capsule)
        .accessibilityElement(children: .ignore)
        .accessibilityLabel(spoken)
    }
}

extension Game {
    /// The time played, in minutes and seconds.
    fileprivate var time: String {
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
