// SPDX-License-Identifier: MIT

public import EntityTables

/// A stack of routes whose screens have their own states.
///
/// ```swift
/// struct AppState: Sendable { var screens = ScreenStack<Screen>(.menu) }
///
/// let app = Feature<AppState> {
///     Scope(\.screens.routes, name: "routes", Navigation<Page>())
///     Scope(each: \.screens) {
///         Scope(\.state.album, name: "album", album)
///     }
/// }
/// ```
///
/// ``routes`` says where the user is. A new screen begins with the state that
/// ``ScreenState/init(at:)`` gives it; a screen that stays keeps its state; when a screen goes
/// away, so does its state, and its effects end. Each screen has its own id, so two screens at
/// equal routes are independent, and a screen pushed after a pop is a new one.
public struct ScreenStack<State: ScreenState>: Sendable {
    /// The type of the routes that lead to the screens.
    public typealias Route = State.Route

    private var screens: [StackedScreen<State>] = []
    /// The id of the next screen; no id is used twice.
    private var nextID = 0

    /// Creates a stack of a root screen and any screens on top of it.
    public init(_ root: Route, _ pushed: Route...) {
        self.init(RouteStack(root, pushed: pushed))
    }

    /// Creates the screens at a stack of routes.
    public init(_ routes: RouteStack<Route>) {
        follow(routes.levels)
    }

    /// Where the user is; setting it adds and removes screens.
    ///
    /// Screens at the same routes as before, in the same order, stay: all from the root up to the
    /// first difference, and as many as possible of those above it.
    ///
    /// - Complexity: O(screens), and O(screens²) if all differ.
    public var routes: RouteStack<Route> {
        get { RouteStack(known: screens.map(\.level)) }
        set { follow(newValue.levels) }
    }

    /// The screen that lies on top: the topmost thing presented, otherwise the topmost screen.
    public var current: StackedScreen<State> { screens[screens.count - 1] }

    /// Removes a screen and everything over it; the root stays.
    ///
    /// A screen that closes itself needs this, because another one may be over it by then:
    ///
    /// ```swift
    /// Reduce(each: \.screens) { (app, id, _: PresentationAction) in app.screens.remove(id: id) }
    /// ```
    ///
    /// With that reducer, `context.dismiss()`, or `.dismiss()` as the effect, closes the screen
    /// that it comes from.
    ///
    /// - Complexity: O(screens).
    public mutating func remove(id: Int) {
        guard let index = screens.firstIndex(where: { $0.id == id }), index > 0 else { return }
        screens.removeLast(screens.count - index)
    }

    private mutating func follow(_ levels: [RouteLevel<Route>]) {
        // What goes comes first, from the top; then what comes, from below. The shortest difference
        // is looked for from the root upwards, so what both begin with is not part of it.
        for change in levels.difference(from: screens.map(\.level)) {
            switch change {
            case .remove(let offset, _, _): screens.remove(at: offset)
            case .insert(let offset, let level, _): screens.insert(screen(at: level), at: offset)
            }
        }
    }

    private mutating func screen(at level: RouteLevel<Route>) -> StackedScreen<State> {
        defer { nextID += 1 }
        return StackedScreen(id: nextID, level: level, state: State(at: level.route))
    }
}

extension ScreenStack: RandomAccessCollection {
    /// The root's position.
    public var startIndex: Int { screens.startIndex }
    /// The position after the topmost screen.
    public var endIndex: Int { screens.endIndex }

    /// The screen at a position, counted from the root.
    public subscript(position: Int) -> StackedScreen<State> { screens[position] }
}

extension ScreenStack: RowCollection {
    /// Changes the state of a screen in place; returns nil if the screen isn't on the stack.
    ///
    /// - Throws: What `body` throws.
    /// - Complexity: O(screens).
    @discardableResult
    public mutating func update<R, E: Error>(
        id: Int, _ body: (inout StackedScreen<State>) throws(E) -> R
    ) throws(E) -> R? {
        try screens.update(id: id, body)
    }

    /// Changes the state of every screen in place, from the root upwards.
    public mutating func updateEach(_ body: (inout StackedScreen<State>) -> Void) {
        screens.updateEach(body)
    }
}

extension ScreenStack: RoutePlace {
    package var shownRoutes: any Sendable { routes }
    package var shownStacks: [(name: String, text: String)] { routes.shownStacks }
}

extension ScreenStack: Equatable where State: Equatable {}
extension ScreenStack: Hashable where State: Hashable, Route: Hashable {}

// MARK: - Coding

extension ScreenStack {
    private enum CodingKeys: String, CodingKey { case screens, nextID }
}

extension ScreenStack: Encodable where State: Encodable, Route: Encodable {
    /// Writes the screens with their states, and the id of the next one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(screens, forKey: .screens)
        try container.encode(nextID, forKey: .nextID)
    }
}

extension ScreenStack: Decodable where State: Decodable, Route: Decodable {
    /// Reads the screens; throws `DecodingError.dataCorrupted` if their routes are not a stack, or
    /// if an id occurs twice or would be used again.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        screens = try container.decode([StackedScreen<State>].self, forKey: .screens)
        nextID = try container.decode(Int.self, forKey: .nextID)
        let ids = Set(screens.map(\.id))
        // There is room for the ids to come.
        guard RouteStack(levels: screens.map(\.level)) != nil, ids.count == screens.count,
            (0...1 << 53).contains(nextID), ids.allSatisfy((0..<nextID).contains)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .screens, in: container,
                debugDescription: "These screens are no stack with ids of their own.")
        }
    }
}
