// SPDX-License-Identifier: MIT

import MemoryTunesCore
import Onward
import SwiftUI

/// The cards in four rows.
struct Board: View {
    let game: FeatureStore<Game, GameAction>

    var body: some View {
        LazyVGrid(
            columns: Array(repeating: GridItem(.flexible(), spacing: 12), count: 4), spacing: 12
        ) {
            ForEach(0..<game[\.cards.count], id: \.self) { id in
                CardView(game: game, id: id)
            }
        }
        .frame(maxWidth: 480)
    }
}

/// One card, whose body runs again when that card changes, and at no other move.
struct CardView: View {
    let game: FeatureStore<Game, GameAction>
    let id: Card.ID
    @Environment(\.accessibilityReduceMotion) private var hasLessMotion

    var body: some View {
        if let card = game[\.[card: id]] {
            let isUp = card.face != .closed
            Button {
                game.send(.flip(card: id))
            } label: {
                ZStack {
                    Back().opacity(isUp ? 0 : 1)
                    CoverView(cover: card.cover)
                        .rotation3DEffect(.degrees(180), axis: (x: 0, y: 1, z: 0))
                        .opacity(isUp ? 1 : 0)
                }
                .aspectRatio(1, contentMode: .fit)
                .clipShape(RoundedRectangle(cornerRadius: 14))
                .shadow(radius: isUp ? 2 : 5, y: isUp ? 1 : 3)
                .rotation3DEffect(.degrees(isUp ? 180 : 0), axis: (x: 0, y: 1, z: 0))
                .opacity(card.face == .guessed ? 0.55 : 1)
                .animation(hasLessMotion ? nil : .easeInOut(duration: 0.35), value: card.face)
            }
            .buttonStyle(.plain)
            .accessibilityLabel(card.spoken)
        }
    }
}

/// The side that all cards share.
private struct Back: View {
    var body: some View {
        LinearGradient(
            colors: [.teal, .teal.opacity(0.7)], startPoint: .topLeading, endPoint: .bottomTrailing
        )
        .overlay {
            Image(systemName: "music.note").font(.title.bold()).foregroundStyle(.white)
        }
    }
}

extension Game {
    /// A card; nil while none is dealt.
    fileprivate subscript(card id: Card.ID) -> Card? {
        cards.indices.contains(id) ? cards[id] : nil
    }
}

extension Card {
    /// What a screen reader says.
    fileprivate var spoken: String {
        let place = "Row \(id / 4 + 1), column \(id % 4 + 1)"
        let title = cover.title.isEmpty ? "a cover without a title" : cover.title
        return switch face {
        case .closed: "\(place): closed"
        case .open: "\(place): \(title)"
        case .guessed: "\(place): found, \(title)"
        }
    }
}
