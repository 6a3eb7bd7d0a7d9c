// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation

/// Pictures that can be liked, and where each browser tab is.
struct Gallery: Equatable, Sendable {
    static let titles = ["Harbour", "Market", "Lighthouse", "Harvest", "Night train"]

    var tabs = RouteTabs<Screen>()
    private(set) var likes: [Int: Int] = [:]

    mutating func apply(_ action: GalleryAction) {
        switch action {
        case .like(let picture):
            if Self.titles.indices.contains(picture) { likes[picture, default: 0] += 1 }
        }
    }

    /// The pictures whose title has a text in it.
    static func pictures(with text: String) -> [Int] {
        titles.indices.filter { titles[$0].lowercased().contains(text.lowercased()) }
    }
}

enum GalleryAction: Action, Codable {
    case like(picture: Int)
}

extension Store where State == Gallery {
    /// The store of one visitor.
    static func gallery() -> Store<Gallery> {
        Store(Gallery()) {
            Reduce { (gallery: inout Gallery, action: GalleryAction) in gallery.apply(action) }
            Scope(\.tabs, TabNavigation<Screen>())
        }
    }
}
