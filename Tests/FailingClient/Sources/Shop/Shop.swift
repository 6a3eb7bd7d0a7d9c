// SPDX-License-Identifier: MIT

import Onward

/// A list of things to buy.
public struct Shop: Equatable, Sendable {
    /// One of them.
    public struct Item: Identifiable, Equatable, Sendable {
        /// Its id.
        public let id: UniqueID
        /// What it is.
        public var title: String
        /// Whether the server has it.
        public var isSaved = false

        /// A thing that is not saved yet.
        public init(id: UniqueID, title: String) {
            self.id = id
            self.title = title
        }
    }

    /// All of them.
    public var items: EntityTable<Item> = []
    /// Whether the list is looked at.
    public var isShown = false

    /// An empty list.
    public init() {}
}

/// What happens to the list.
public enum ShopAction: Action, Equatable {
    /// A thing is added.
    case add(String)
    /// It has an id.
    case added(UniqueID, String)
    /// The server has it.
    case saved(UniqueID)
    /// The list is looked at, or not any more.
    case show(Bool)
    /// Time goes by while the list is looked at.
    case polled
}

/// The list as a feature.
///
/// - Parameter save: Sends a title to the server.
/// - Returns: The feature.
public func shop(save: @escaping @Sendable (String) async throws -> Void) -> Feature<Shop> {
    Feature {
        Reduce { (shop: inout Shop, action: ShopAction) in
            switch action {
            case .add, .polled: break
            case .added(let id, let title): shop.items.append(Shop.Item(id: id, title: title))
            case .saved(let id): shop.items[id: id]?.isSaved = true
            case .show(let isShown): shop.isShown = isShown
            }
        }
        OnAction { (action: ShopAction, context) -> Effect in
            guard case .add(let title) = action else { return .none }
            let id = context.ids.next()
            return .run(id: "save", .queue) {
                context.dispatch(ShopAction.added(id, title))
                try await save(title)
                context.dispatch(ShopAction.saved(id))
            }
        }
        While(\.isShown) { _, context in
            for await _ in context.clock.ticks(every: .seconds(10)) {
                context.dispatch(ShopAction.polled)
            }
        }
    }
}
