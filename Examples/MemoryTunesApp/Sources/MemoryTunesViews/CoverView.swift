// SPDX-License-Identifier: MIT

import Foundation
import MemoryTunesCore
import SwiftUI

/// A cover: its picture from the web, and until it is there, or where there is none, a drawing.
struct CoverView: View {
    let cover: Cover

    var body: some View {
        AsyncImage(url: URL(string: cover.address)) { picture in
            picture.resizable()
        } placeholder: {
            DrawnCover(cover: cover)
        }
    }
}

/// A cover that the app draws itself; it follows from the address, so that pairs look alike.
struct DrawnCover: View {
    let cover: Cover

    var body: some View {
        let number = number
        LinearGradient(
            colors: [colour(number, brightness: 0.85), colour(number + 1, brightness: 0.55)],
            startPoint: .topLeading, endPoint: .bottomTrailing
        )
        .overlay {
            Image(systemName: Self.symbols[number % Self.symbols.count])
                .font(.largeTitle)
                .foregroundStyle(.white)
        }
        .overlay(alignment: .bottom) {
            Text(cover.title)
                .font(.caption.weight(.semibold))
                .foregroundStyle(.white)
                .lineLimit(1)
                .padding(4)
        }
    }

    private static let symbols = [
        "sun.max.fill", "moon.stars.fill", "bolt.fill", "leaf.fill", "flame.fill", "drop.fill",
        "star.fill", "heart.fill",
    ]

    /// The number in an address of the app's own, as "own:3"; any other address makes one up.
    private var number: Int {
        Int(cover.address.trimmingPrefix("own:"))
            ?? cover.address.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
    }

    private func colour(_ number: Int, brightness: Double) -> Color {
        Color(hue: Double(number * 5 % 16) / 16, saturation: 0.65, brightness: brightness)
    }
}
