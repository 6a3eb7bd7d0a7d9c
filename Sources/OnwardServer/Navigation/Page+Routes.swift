// SPDX-License-Identifier: MIT
#if Server

public import Mustache
public import Onward
public import OnwardNavigation

extension Page {
    /// Creates a page of several screens, of which each browser tab shows the one at its location.
    ///
    /// ```swift
    /// let page = try Page<AppState>(
    ///     tabs: \.tabs, codec: codec, title: { $0.title }, templates: library,
    ///     accepts: [GameAction.self, NavigationAction<Screen>.self]
    /// ) { state, routes in
    ///     [Fragment("screen", model: ScreenView(state, routes.current))]
    /// }
    /// ```
    ///
    /// See <doc:ScreensWithURLs> for what happens between a tab, its address bar and the state.
    ///
    /// - Parameters:
    ///   - tabs: Where each tab is: the slice of a `TabNavigation`, scoped by this key path.
    ///   - codec: The URLs of the routes. Every route that a tab may be at needs one: the server
    ///     distinguishes screens by their URLs.
    ///   - title: The document's title. Called on the server's threads; pure.
    ///   - language: The document's language, a BCP 47 tag.
    ///   - templates: The templates of the fragments, as for a page with one screen.
    ///   - accepts: The action types that may come in. A `NavigationAction` of the route moves only
    ///     the tab that sent it.
    ///   - expects: The token that a button may demand; see the type's description.
    ///   - isThere: Whether what a route shows exists: false for a row that the state doesn't have.
    ///     A document of such a route is answered with the page and 404. Called on the server's
    ///     threads; pure.
    ///   - fragments: What is shown, as a function of the state and of the place in the app:
    ///     `routes.current`, whether there is a way back, what is below a sheet. Called on the
    ///     server's threads, once per version and stack that is shown; pure.
    /// - Throws: ``PageError`` if two accepted types, or two fields of an action, share a name.
    public init<Route>(
        tabs: any WritableKeyPath<State, RouteTabs<Route>> & Sendable, codec: RouteCodec<Route>,
        title: @escaping @Sendable (Route) -> String, language: String = "en",
        templates: MustacheLibrary, accepts: [Incoming],
        expects: (@Sendable (State) -> String)? = nil,
        isThere: @escaping @Sendable (State, Route) -> Bool = { _, _ in true },
        fragments: @escaping @Sendable (State, RouteStack<Route>) -> [Fragment]
    ) throws {
        try self.init(
            tabs: tabs, codec: codec, title: title, language: language, templates: templates,
            accepts: accepts, expects: expects, isThere: isThere
        ) { state, routes, _ in fragments(state, routes) }
    }

    /// Creates a page of several screens that show the values of selectors.
    ///
    /// Like the initializer without a reader; see ``Page``.
    ///
    /// - Parameters:
    ///   - tabs: Where each tab is.
    ///   - codec: The URLs of the routes.
    ///   - title: The document's title.
    ///   - language: The document's language, a BCP 47 tag.
    ///   - templates: The templates of the fragments.
    ///   - accepts: The action types that may come in.
    ///   - expects: The token that a button may demand.
    ///   - isThere: Whether what a route shows exists.
    ///   - fragments: What is shown, as a function of the state, the place in the app, and
    ///     selectors. It must not keep the reader.
    /// - Throws: ``PageError`` if two accepted types, or two fields of an action, share a name.
    public init<Route>(
        tabs: any WritableKeyPath<State, RouteTabs<Route>> & Sendable, codec: RouteCodec<Route>,
        title: @escaping @Sendable (Route) -> String, language: String = "en",
        templates: MustacheLibrary, accepts: [Incoming],
        expects: (@Sendable (State) -> String)? = nil,
        isThere: @escaping @Sendable (State, Route) -> Bool = { _, _ in true },
        fragments:
            @escaping @Sendable (
                _ state: State, _ routes: RouteStack<Route>, _ reader: SelectorReader<State>
            ) -> [Fragment]
    ) throws {
        try self.init(
            language: language, templates: templates, accepts: accepts, expects: expects,
            routes: TypedPageRoutes(
                tabs: tabs, codec: codec, title: title, isThere: isThere
            ) { reader, stack, _ in fragments(reader.state, stack, reader) })
    }
}
#endif
