// SPDX-License-Identifier: MIT

import OnwardNavigation

@testable import TestSupport

extension Screen {
    /// The URLs of the screens.
    static let codec = RouteCodec<Screen>(
        notFound: .notFound,
        [
            RoutePattern("/", .menu),
            RoutePattern("/categories", .categories),
            RoutePattern("/game", .game),
            RoutePattern("/albums/:id") { values in
                values["id", as: Int.self].map { .album($0, side: values["side"]) }
            } write: { route in
                if case .album(let id, let side) = route { ["id": id, "side": side] } else { nil }
            },
            RoutePattern("/search") { values in
                values["q"].map { .search($0) }
            } write: { route in
                if case .search(let text) = route { ["q": text] } else { nil }
            },
            RoutePattern("/tags/:name") { values in
                values["name"].map { .tag($0, values.all("with")) }
            } write: { route in
                guard case .tag(let name, let others) = route else { return nil }
                var values: RouteValues = ["name": name]
                for other in others { values.append(other, as: "with") }
                return values
            },
        ])
}
