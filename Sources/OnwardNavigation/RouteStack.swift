// SPDX-License-Identifier: MIT

/// Where the user is in an app: screens stacked on each other, and what is presented over them.
///
/// ```swift
/// struct AppState: Sendable { var routes = RouteStack<Screen>(.menu) }
/// ```
///
/// A stack is never empty: its first screen, the root, can be replaced but not popped. What is
/// presented belongs to the screen under it, so going to another screen dismisses it. Whichever
/// method is called, ``current`` is then what was asked for.
///
/// Going to the current screen changes nothing: the stack is equal to the previous one, and its
/// subscribers are not called.
public struct RouteStack<Route: Equatable & Sendable>: Equatable, Sendable {
    /// Everything that is shown, from the root to the top.
    ///
    /// Screens come first, then what is presented, at most one thing in each slot.
    public private(set) var levels: [RouteLevel<Route>]

    /// Creates a stack of a root screen and any screens on top of it.
    public init(_ root: Route, _ pushed: Route...) {
        self.init(root, pushed: pushed)
    }

    /// Creates a stack of a root screen and the screens on top of it.
    public init(_ root: Route, pushed: [Route]) {
        levels = [RouteLevel(root)] + pushed.map { RouteLevel($0) }
    }

    /// A stack of levels that make one.
    init(known levels: [RouteLevel<Route>]) {
        self.levels = levels
    }

    /// A stack of levels that may not make one: no level at all, a screen over something presented,
    /// or two things in one slot.
    init?(levels: [RouteLevel<Route>]) {
        let slots = levels.drop { !$0.isModal }.map(\.slot)
        guard slots.count < levels.count, !slots.contains(nil), Set(slots).count == slots.count
        else { return nil }
        self.levels = levels
    }
}

// MARK: - Looking

extension RouteStack {
    /// What lies on top: the topmost thing presented, otherwise the topmost screen.
    public var current: Route { levels[levels.count - 1].route }

    /// The topmost screen, under whatever is presented.
    ///
    /// - Complexity: O(levels).
    public var screen: Route { levels[screenCount - 1].route }

    /// The first screen.
    public var root: Route { levels[0].route }

    /// The screens, from the root upwards.
    ///
    /// - Complexity: O(levels).
    public var screens: [Route] { levels.prefix { !$0.isModal }.map(\.route) }

    /// What is presented over the topmost screen, the topmost last.
    ///
    /// - Complexity: O(levels).
    public var presented: [RouteLevel<Route>] { levels.filter(\.isModal) }

    /// What is presented in a slot.
    ///
    /// - Complexity: O(levels).
    public subscript(slot: ModalSlot) -> Route? { levels.first { $0.slot == slot }?.route }

    private var screenCount: Int { (levels.lastIndex { !$0.isModal } ?? 0) + 1 }
}

// MARK: - Going

extension RouteStack {
    /// Pushes a screen on top of the current one, dismissing everything presented.
    public mutating func push(_ route: Route) {
        dismissAll()
        if current != route { levels.append(RouteLevel(route)) }
    }

    /// Leaves what lies on top: the topmost thing presented, otherwise the topmost screen.
    ///
    /// - Returns: What was left; nil at the root, which stays.
    @discardableResult
    public mutating func pop() -> Route? {
        levels.count > 1 ? levels.removeLast().route : nil
    }

    /// Goes back to the nearest equal route; the current one stays as it is.
    ///
    /// - Returns: Whether there is such a route; otherwise nothing changes.
    /// - Complexity: O(levels).
    @discardableResult
    public mutating func popTo(_ route: Route) -> Bool {
        let index = levels.lastIndex { $0.route == route }
        if let index { levels.removeSubrange((index + 1)...) }
        return index != nil
    }

    /// Goes back to the root.
    public mutating func popToRoot() {
        levels.removeSubrange(1...)
    }

    /// Shows a screen in place of the current one, dismissing everything presented.
    public mutating func replace(with route: Route) {
        dismissAll()
        levels[levels.count - 1] = RouteLevel(route)
    }

    /// Presents something over the screens, in place of what the slot holds.
    ///
    /// In an empty slot, it lies on top of everything else presented.
    public mutating func present(_ route: Route, in slot: ModalSlot = .sheet) {
        if let index = levels.firstIndex(where: { $0.slot == slot }) {
            levels[index] = RouteLevel(route, in: slot)
        } else {
            levels.append(RouteLevel(route, in: slot))
        }
    }

    /// Dismisses what a slot holds; without a slot, the topmost thing presented.
    ///
    /// - Returns: What was dismissed; nil if there was nothing.
    @discardableResult
    public mutating func dismiss(_ slot: ModalSlot? = nil) -> Route? {
        let index = levels.lastIndex { $0.isModal && (slot == nil || $0.slot == slot) }
        return index.map { levels.remove(at: $0).route }
    }

    /// Dismisses everything presented.
    public mutating func dismissAll() {
        levels.removeSubrange(screenCount...)
    }

    /// Forgets the oldest screens above the root until there are no more than `limit` screens.
    ///
    /// With a limit of 1, only the current screen is left, as the new root.
    ///
    /// - Complexity: O(levels).
    public mutating func forgetScreens(beyond limit: Int) {
        let surplus = screenCount - max(limit, 1)
        guard surplus > 0 else { return }
        // The root stays; with a limit of one, so does the current screen, in its place.
        if limit <= 1 {
            levels.removeSubrange(0..<surplus)
        } else {
            levels.removeSubrange(1...surplus)
        }
    }
}

/// A part of a state that says where the user is, for comparing runs without the app's types.
package protocol RoutePlace {
    /// The routes alone, without what the screens keep.
    var shownRoutes: any Sendable { get }
    /// Where the user is, for people: each window or tab by its name, a single one by an empty
    /// name.
    var shownStacks: [(name: String, text: String)] { get }
}

extension RouteStack: RoutePlace {
    package var shownRoutes: any Sendable { self }

    package var shownStacks: [(name: String, text: String)] {
        let screens = screens.map { "\($0)" }.joined(separator: " › ")
        let presented = presented.map { " + \($0.slot?.name ?? ""): \($0.route)" }.joined()
        return [("", screens + presented)]
    }
}

// MARK: - Coding

extension RouteStack: Encodable where Route: Encodable {
    /// Writes the levels.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(levels)
    }
}

extension RouteStack: Decodable where Route: Decodable {
    /// Reads the levels; throws `DecodingError.dataCorrupted` if they don't form a stack: none at
    /// all, a screen over something presented, or two things in one slot.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let levels = try container.decode([RouteLevel<Route>].self)
        guard let stack = RouteStack(levels: levels) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "These levels are no stack of routes.")
        }
        self = stack
    }
}

extension RouteStack: Hashable where Route: Hashable {}
