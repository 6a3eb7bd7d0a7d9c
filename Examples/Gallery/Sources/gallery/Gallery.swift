// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import OnwardServer

/// Pictures that can be liked, and where each browser tab is.
struct Gallery: Equatable, Sendable {
    static let titles = ["Harbour", "Market", "Lighthouse", "Harvest", "Night train"]

    var tabs = RouteTabs<Screen>()
    private(set) var likes: [Int: Int] = [:]
    /// The pictures that the visitor has added.
    private(set) var own: [Own] = []
    /// Why the last one isn't there.
    private(set) var trouble: String?

    /// A picture that a visitor has added.
    struct Own: Codable, Equatable, Sendable {
        let title: String
        /// Its name in the album.
        let name: String

        /// Whether its title has a text in it.
        func has(_ text: String) -> Bool {
            text.isEmpty || title.lowercased().contains(text.lowercased())
        }
    }

    /// How many pictures a visitor may add.
    static let limit = 12

    mutating func apply(_ action: AlbumAction) {
        switch action {
        case .hung(let picture): if own.count < Self.limit { own.append(picture) }
        case .failed(let name): trouble = "“\(name)” isn't a picture that can be shown here."
        }
    }

    mutating func apply(_ action: GalleryAction) {
        switch action {
        case .like(let picture):
            if Self.titles.indices.contains(picture) { likes[picture, default: 0] += 1 }
        case .add: trouble = nil
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
    case add(title: String?, picture: UploadedFile)
}

extension Store where State == Gallery {
    /// The store of one visitor.
    static func gallery(_ album: Album) -> Store<Gallery> {
        Store(Gallery()) {
            Reduce { (gallery: inout Gallery, action: GalleryAction) in gallery.apply(action) }
            Reduce { (gallery: inout Gallery, action: AlbumAction) in gallery.apply(action) }
            OnAction { (action: GalleryAction, context) in
                guard case .add(let title, let file) = action else { return .none }
                return .run {
                    let name = try await album.add(file)
                    let title = title ?? String(file.name.prefix { $0 != "." })
                    context.dispatch(AlbumAction.hung(.init(title: title, name: name)))
                } catching: { _ in
                    context.dispatch(AlbumAction.failed(name: file.name))
                }
            }
            Scope(\.tabs, TabNavigation<Screen>())
        }
    }
}
