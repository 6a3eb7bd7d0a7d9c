// SPDX-License-Identifier: MIT
#if Server

public import Mustache
public import Onward
public import OnwardNavigation

/// A small state per visitor, beside the store that all share: a filter, a side of the table.
///
/// ```swift
/// struct Look: Hashable, Sendable { var onlyOpen = false }
/// enum LookAction: Action, Codable { case toggle }
///
/// let page = try Page<Board>(
///     title: "Board", templates: library, accepts: [BoardAction.self],
///     beside: VisitorState(Look()) { (look: inout Look, _: LookAction) in look.onlyOpen.toggle() }
/// ) { board, look in
///     [Fragment("cards", rows: board.cards.filter { !look.onlyOpen || $0.isOpen })]
/// }
/// let server = PageServer(page, hosting: .shared(store))
/// ```
///
/// The page is a function of both states. Forms post the visitor's actions like any others; these
/// change nothing in the store, are in no log, and start no effect. All tabs of a browser show the
/// same. Visitors with equal states share what is drawn, so choose a state with few values: if each
/// visitor has a different one, each change of the store is drawn for each of them. When a
/// visitor's own state changes, the whole page is sent to that visitor, and the script updates what
/// is different.
///
/// A visitor is identified by a cookie, as with a store for each visitor: see ``Hosting``. There
/// you don't need this type: put the visitor's own state into that store.
public struct VisitorState<Own: Hashable & Sendable>: Sendable {
    let erased: PageVisitors

    /// Creates a state that visitors begin with, and the effect of their actions on it.
    ///
    /// - Parameters:
    ///   - initial: The state that each visitor begins with.
    ///   - limit: The maximum number of visitors that are remembered. When there are more, one that
    ///     never did anything makes room; if there is none, a new visitor is answered with 503.
    ///   - idle: How long a visitor without an open page is remembered.
    ///   - reduce: Applies an action. Called on the server's threads; pure.
    public init<A: Action & Decodable>(
        _ initial: Own, limit: Int = 10_000, idle: Duration = .seconds(86_400),
        reduce: @escaping @Sendable (_ own: inout Own, _ action: A) -> Void
    ) {
        erased = PageVisitors(
            initial: OwnState(initial), limit: max(limit, 1), idle: idle, action: A.self
        ) { state, action in
            guard let action = action as? A, var own = state.value as? Own else { return state }
            reduce(&own, action)
            return OwnState(own)
        }
    }
}

/// A ``VisitorState`` whose type isn't known.
struct PageVisitors: Sendable {
    let initial: OwnState
    let limit: Int
    let idle: Duration
    /// The type of the visitor's actions.
    let action: any (Action & Decodable).Type
    let reduce: @Sendable (OwnState, any Action) -> OwnState
}

/// The value of a visitor's own state.
struct OwnState: Hashable, Sendable {
    let value: any Hashable & Sendable

    init(_ value: some Hashable & Sendable) { self.value = value }

    static func == (left: Self, right: Self) -> Bool {
        AnyHashable(left.value) == AnyHashable(right.value)
    }

    func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

/// One visitor's own state, as it is now.
final class OwnStateBox: Sendable {
    private let state: Guarded<OwnState>

    init(_ state: OwnState) { self.state = Guarded(state) }

    var value: OwnState { state.withValue { $0 } }

    /// Changes the state; only one caller at a time does so, the store's post handler.
    func change(by reduce: (OwnState) -> OwnState) {
        let next = reduce(value)
        state.withValue { $0 = next }
    }
}

extension Page {
    /// Creates a page of a shared store that may look different to each visitor.
    ///
    /// See ``VisitorState``.
    ///
    /// - Parameters:
    ///   - title: The document's title.
    ///   - language: The document's language, a BCP 47 tag.
    ///   - templates: The templates of the fragments, as for a page that looks the same to all.
    ///   - accepts: The action types of the store that may come in.
    ///   - visitors: The state of each visitor; its actions may come in as well.
    ///   - expects: The token that a button may demand; see the type's description.
    ///   - fragments: The page as a function of both states. Called on the server's threads, once
    ///     per rendered version for visitors with equal states; pure.
    /// - Throws: ``PageError`` if two accepted types share a name.
    public init<Own>(
        title: String, language: String = "en", templates: MustacheLibrary, accepts: [Incoming],
        beside visitors: VisitorState<Own>, expects: (@Sendable (State) -> String)? = nil,
        fragments: @escaping @Sendable (_ state: State, _ own: Own) -> [Fragment]
    ) throws {
        try self.init(
            title: title, language: language, templates: templates, accepts: accepts,
            beside: visitors, expects: expects
        ) { state, _, own in fragments(state, own) }
    }

    /// Creates a page of a shared store that shows selectors and may differ for each visitor.
    ///
    /// - Parameters:
    ///   - title: The document's title.
    ///   - language: The document's language, a BCP 47 tag.
    ///   - templates: The templates of the fragments.
    ///   - accepts: The action types of the store that may come in.
    ///   - visitors: The state of each visitor; its actions may come in as well.
    ///   - expects: The token that a button may demand.
    ///   - fragments: The page as a function of both states and selectors. It must not keep the
    ///     reader.
    /// - Throws: ``PageError`` if two accepted types share a name.
    public init<Own>(
        title: String, language: String = "en", templates: MustacheLibrary, accepts: [Incoming],
        beside visitors: VisitorState<Own>, expects: (@Sendable (State) -> String)? = nil,
        fragments:
            @escaping @Sendable (_ state: State, _ reader: SelectorReader<State>, _ own: Own)
            -> [Fragment]
    ) throws {
        try self.init(
            title: title, language: language, templates: templates, accepts: accepts,
            beside: visitors.erased, expects: expects
        ) { reader, own in
            guard let own = own?.value as? Own else { return [] }
            return fragments(reader.state, reader, own)
        }
    }

    /// Creates a page of several screens of a shared store that may look different to each visitor.
    ///
    /// - Parameters:
    ///   - tabs: Where each tab is.
    ///   - codec: The URLs of the routes.
    ///   - title: The document's title.
    ///   - language: The document's language, a BCP 47 tag.
    ///   - templates: The templates of the fragments.
    ///   - accepts: The action types of the store that may come in.
    ///   - visitors: The state of each visitor; its actions may come in as well.
    ///   - expects: The token that a button may demand.
    ///   - isThere: Whether what a route shows exists.
    ///   - fragments: What is shown, as a function of both states and of the place in the app.
    /// - Throws: ``PageError`` if two accepted types share a name.
    public init<Route, Own>(
        tabs: any WritableKeyPath<State, RouteTabs<Route>> & Sendable, codec: RouteCodec<Route>,
        title: @escaping @Sendable (Route) -> String, language: String = "en",
        templates: MustacheLibrary, accepts: [Incoming], beside visitors: VisitorState<Own>,
        expects: (@Sendable (State) -> String)? = nil,
        isThere: @escaping @Sendable (State, Route) -> Bool = { _, _ in true },
        fragments:
            @escaping @Sendable (_ state: State, _ routes: RouteStack<Route>, _ own: Own)
            -> [Fragment]
    ) throws {
        try self.init(
            tabs: tabs, codec: codec, title: title, language: language, templates: templates,
            accepts: accepts, beside: visitors, expects: expects, isThere: isThere
        ) { state, routes, _, own in fragments(state, routes, own) }
    }

    /// Creates a page of several screens of a shared store that show the values of selectors and
    /// may differ per visitor.
    ///
    /// - Parameters:
    ///   - tabs: Where each tab is.
    ///   - codec: The URLs of the routes.
    ///   - title: The document's title.
    ///   - language: The document's language, a BCP 47 tag.
    ///   - templates: The templates of the fragments.
    ///   - accepts: The action types of the store that may come in.
    ///   - visitors: The state of each visitor; its actions may come in as well.
    ///   - expects: The token that a button may demand.
    ///   - isThere: Whether what a route shows exists.
    ///   - fragments: What is shown, as a function of both states, the place in the app, and
    ///     selectors. It must not keep the reader.
    /// - Throws: ``PageError`` if two accepted types share a name.
    public init<Route, Own>(
        tabs: any WritableKeyPath<State, RouteTabs<Route>> & Sendable, codec: RouteCodec<Route>,
        title: @escaping @Sendable (Route) -> String, language: String = "en",
        templates: MustacheLibrary, accepts: [Incoming], beside visitors: VisitorState<Own>,
        expects: (@Sendable (State) -> String)? = nil,
        isThere: @escaping @Sendable (State, Route) -> Bool = { _, _ in true },
        fragments:
            @escaping @Sendable (
                _ state: State, _ routes: RouteStack<Route>, _ reader: SelectorReader<State>,
                _ own: Own
            ) -> [Fragment]
    ) throws {
        try self.init(
            language: language, templates: templates, accepts: accepts, beside: visitors.erased,
            expects: expects,
            routes: TypedPageRoutes(tabs: tabs, codec: codec, title: title, isThere: isThere) {
                reader, stack, own in
                guard let own = own?.value as? Own else { return [] }
                return fragments(reader.state, stack, reader, own)
            })
    }
}
#endif
