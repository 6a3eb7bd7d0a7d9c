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

/// A picture as a file, in the order of the titles.
struct Picture: Sendable {
    let path: String
    /// What it shows, for those who don't see it.
    let says: String
    let bytes: [UInt8]

    static let all = [
        Picture(
            path: "/art/harbour.svg", says: "Two sailing boats before a town at sunset.",
            bytes: PackageResources.harbour_svg),
        Picture(
            path: "/art/market.svg", says: "Two stalls with fruit, bread and flowers.",
            bytes: PackageResources.market_svg),
        Picture(
            path: "/art/lighthouse.svg",
            says: "A lighthouse on a dark cliff, its beam over the sea.",
            bytes: PackageResources.lighthouse_svg),
        Picture(
            path: "/art/harvest.svg", says: "Bales of straw on a yellow field, a red barn behind.",
            bytes: PackageResources.harvest_svg),
        Picture(
            path: "/art/train.svg", says: "A train with lit windows below mountains at night.",
            bytes: PackageResources.train_svg),
    ]
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
