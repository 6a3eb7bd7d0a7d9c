// SPDX-License-Identifier: MIT

import Foundation
import MemoryTunesCore
import Onward
import SwiftUI

/// The first screen: a new game, the one that was left, and the choice of music.
struct MenuView: View {
    let game: FeatureStore<Game, GameAction>
    let categories: FeatureStore<Categories, CategoriesAction>
    /// Goes to a screen.
    let go: (Screen) -> Void

    var body: some View {
        VStack(spacing: 28) {
            Spacer()
            Fan()
            VStack(spacing: 6) {
                Text("MemoryTunes").font(.largeTitle.bold())
                Text("Sixteen cards, eight covers, as few moves as you can.")
                    .foregroundStyle(.secondary)
                    .multilineTextAlignment(.center)
            }
            VStack(spacing: 12) {
                if game[\.isPlaying] {
                    Button(
                        "Go on: \(game[\.pairs]) of \(Game.pairCount) pairs",
                        systemImage: "play.fill"
                    ) {
                        go(.game)
                    }
                    .buttonStyle(.bordered)
                }
                Button("New game", systemImage: "dice.fill") {
                    game.send(.start(category: categories.state.current))
                    go(.game)
                }
                .buttonStyle(.borderedProminent)
                Button("Music: \(categories[\.current].rawValue)", systemImage: "music.note.list") {
                    go(.categories)
                }
                .buttonStyle(.bordered)
            }
            .controlSize(.large)
            Spacer()
        }
        .padding()
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .background { Ground() }
        .navigationTitle("MemoryTunes")
    }
}

/// Three covers in a hand.
private struct Fan: View {
    var body: some View {
        ZStack {
            card(0, turned: -14, right: -62)
            card(1, turned: 14, right: 62)
            card(2, turned: 0, right: 0)
        }
        .accessibilityHidden(true)
    }

    private func card(_ number: Int, turned degrees: Double, right: CGFloat) -> some View {
        DrawnCover(cover: Catalogue.own[number])
            .frame(width: 104, height: 104)
            .clipShape(RoundedRectangle(cornerRadius: 16))
            .shadow(radius: 8, y: 4)
            .rotationEffect(.degrees(degrees))
            .offset(x: right, y: degrees == 0 ? 0 : 10)
    }
}

/// What lies behind every screen.
struct Ground: View {
    var body: some View {
        LinearGradient(
            colors: [.teal.opacity(0.22), .teal.opacity(0.04)], startPoint: .top, endPoint: .bottom
        )
        .ignoresSafeArea()
    }
}
