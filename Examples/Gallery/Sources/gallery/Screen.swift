// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation

/// What can be shown.
enum Screen: Hashable, Sendable {
    case pictures
    case picture(Int)
    case own(Int)
    case search(String)
    case about
    case notFound

    static let codec = RouteCodec<Screen>(
        notFound: .notFound,
        [
            RoutePattern("/", .pictures),
            RoutePattern("/about", .about),
            RoutePattern("/pictures/:number") { values in
                values["number", as: Int.self].flatMap {
                    Gallery.titles.indices.contains($0) ? .picture($0) : nil
                }
            } write: { screen in
                if case .picture(let number) = screen { ["number": number] } else { nil }
            },
            RoutePattern("/own/:number") { values in
                values["number", as: Int.self].flatMap { $0 >= 0 ? .own($0) : nil }
            } write: { screen in
                if case .own(let number) = screen { ["number": number] } else { nil }
            },
            RoutePattern("/search") { values in
                .search(values["q"] ?? "")
            } write: { screen in
                if case .search(let text) = screen { ["q": text] } else { nil }
            },
        ])

    var title: String {
        switch self {
        case .pictures: "Pictures"
        case .picture(let number): Gallery.titles[number]
        case .own: "A picture of yours"
        case .search(let text): text.isEmpty ? "Search" : "Search: \(text)"
        case .about: "About"
        case .notFound: "Not found"
        }
    }
}

// On the wire a screen is its URL.
extension Screen: Codable {
    init(from decoder: any Decoder) throws {
        self = try Screen.codec.route(at: decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Screen.codec.text(of: self))
    }
}
