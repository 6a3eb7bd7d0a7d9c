// SPDX-License-Identifier: MIT
#if Server

import Mustache
import Onward
import OnwardNavigation
import OnwardServer

/// A house with rooms that tabs go through.
struct House: Equatable, Sendable {
    var tabs = RouteTabs<Room>(limit: 4)
    var knocks = 0
    var caller = ""
}

enum Room: Hashable, Sendable, Codable {
    case hall, kitchen, nowhere
    case shelf(String)

    static let codec = RouteCodec<Room>(
        notFound: .nowhere,
        [
            RoutePattern("/", .hall),
            RoutePattern("/kitchen", .kitchen),
            RoutePattern("/kitchen/:shelf") { values in
                values["shelf"].map { .shelf($0) }
            } write: { room in
                if case .shelf(let name) = room { ["shelf": name] } else { nil }
            },
        ])

    var name: String {
        switch self {
        case .hall: "Hall"
        case .kitchen: "Kitchen"
        case .nowhere: "Nowhere"
        case .shelf(let name): "Shelf \(name)"
        }
    }
}

enum HouseAction: Action, Codable, Equatable {
    case knock
    case call(tab: String)
}

extension House {
    static func store() -> Store<House> {
        Store(House()) {
            Reduce { (house: inout House, action: HouseAction) in
                switch action {
                case .knock: house.knocks += 1
                case .call(let tab): house.caller = tab
                }
            }
            Scope(\.tabs, TabNavigation<Room>())
        }
    }

    static func page() throws -> Page<House> {
        var library = MustacheLibrary()
        try library.register("<h1>{{name}}</h1>{{> onward/form}}", named: "room")
        try library.register("<b>{{knocks}}</b>", named: "door")
        return try Page(
            tabs: \.tabs, codec: Room.codec, title: { "At: \($0.name)" }, templates: library,
            accepts: [HouseAction.self, NavigationAction<Room>.self, TabAction<Room>.self],
            expects: { "knocks \($0.knocks)" },
            isThere: { _, room in room != .shelf("gone") }
        ) { house, routes in
            [Fragment("room", model: ["name": routes.current.name])]
                + (routes.current == .hall
                    ? [Fragment("door", model: ["knocks": house.knocks])] : [])
        }
    }
}
#endif
