// SPDX-License-Identifier: MIT

import MemoryTunesCore

/// The categories with a mark on the current one; empty on the other screens.
struct CategoriesView: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        let name: String
        let isCurrent: Bool
    }

    let isShown: Bool
    let rows: [Row]

    init(_ state: MemoryTunes, at screen: Screen) {
        isShown = screen == .categories
        rows = Category.allCases.map {
            Row(name: $0.rawValue, isCurrent: $0 == state.categories.current)
        }
    }
}
