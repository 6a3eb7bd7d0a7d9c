// SPDX-License-Identifier: MIT
#if Server

public import Mustache
public import Onward

/// What a store's page shows and which actions it accepts: a pure function of the state.
///
/// ```swift
/// let page = try Page<Game>(
///     title: "Rock, paper, scissors",
///     templates: library,
///     accepts: [GameAction.self],
///     expects: { game in "round \(game.round) turn \(game.turn)" }
/// ) { game in
///     [
///         Fragment("message", model: MessageView(game)),
///         Fragment("board", model: BoardView(game)),
///     ]
/// }
/// ```
///
/// ## Buttons
///
/// A button is a form without an address, so it posts to the page itself; it works without the
/// script, and `data-action` makes the script send it instead:
///
/// ```html
/// <form method="post" data-action>
///   {{> onward/form}}
///   <input type="hidden" name="type" value="GameAction/choose">
///   <button name="weapon" value="rock" data-shortcut="r">Rock</button>
/// </form>
/// ```
///
/// The field names `type`, `request`, `expects` and `address` belong to the page; all others are
/// the action's payload, by label (`value` for an unlabelled one, `value1` for the second, …).
///
/// ## What a button was drawn from
///
/// `expects` derives a token from the state, and the partial `onward/form` puts it into the form.
/// If the state's token is a different one when the action arrives, the action is *stale*: it is
/// answered with 409 and the current page, and not dispatched. Choose what the buttons depend on (a
/// round and a turn), not what ticks, or a ticking page would refuse its own clicks.
///
/// Guaranteed: actions that come through pages of one server for one store are compared and
/// dispatched one at a time, so of two posts with the same token the second is refused if the first
/// changed the token. Not guaranteed: an effect or other code may dispatch between comparison and
/// dispatch; a reducer that must not play twice has to ignore what doesn't fit as well.
///
/// Forms that depend on different parts of the state can have separate tokens: ``expecting(_:_:)``.
public struct Page<State: Sendable>: Sendable {
    /// A type of action that may come in.
    public typealias Incoming = any (Action & Decodable).Type

    let language: String
    private(set) var templates: PageTemplates
    let accepted: [String: Incoming]
    private(set) var tokens: PageExpectations<State>
    /// The checks of actions before they are dispatched, by type.
    var admissions: [ObjectIdentifier: AnyAdmission] = [:]
    typealias AnyAdmission =
        @Sendable (any Action, ActionSender, State) -> Result<any Action, Rejection>
    /// The sentences for what is wrong with a field; nil for the default ones.
    var wording: (@Sendable (FieldMistake) -> String?)?
    /// The screens of a page with routes.
    let routes: (any PageRoutes<State>)?
    /// Whether only pages of the same site may show it, since drawing it may take long.
    ///
    /// Who follows a link of another site is asked first.
    package var isForThisSite = false
    /// Where its fragments are drawn; nil for the threads of all tasks.
    package var drawingExecutor: (any TaskExecutor)?
    private let title: String
    /// The state that each visitor has beside the store; nil if there is none.
    let visitors: PageVisitors?
    private let fragments: @Sendable (SelectorReader<State>, OwnState?) -> [Fragment]

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - title: The document's title.
    ///   - language: The document's language, a BCP 47 tag.
    ///   - templates: The templates of the fragments. One named `layout` replaces the whole
    ///     document: it should contain `{{> onward/head}}` in its head and `{{{fragments}}}` in its
    ///     body, or `{{{fragment.KEY}}}` once per fragment to place each separately.
    ///   - accepts: The action types that may come in; the store must handle each of them too.
    ///   - expects: The token that a button may demand; see the type's description. Called on the
    ///     server's threads; pure.
    ///   - fragments: The page as a function of the state, in document order. Called on the
    ///     server's threads, once per rendered version; pure.
    /// - Throws: ``PageError`` if two accepted types, or two fields of an action, share a name.
    public init(
        title: String, language: String = "en", templates: MustacheLibrary, accepts: [Incoming],
        expects: (@Sendable (State) -> String)? = nil,
        fragments: @escaping @Sendable (State) -> [Fragment]
    ) throws {
        try self.init(
            title: title, language: language, templates: templates, accepts: accepts,
            expects: expects
        ) { state, _ in fragments(state) }
    }

    /// Creates a page that shows the values of selectors.
    ///
    /// ```swift
    /// let page = try Page<App>(
    ///     title: "To do", templates: library, accepts: [TodoAction.self]
    /// ) { app, reader in
    ///     [
    ///         Fragment("count", model: ["open": reader.value(of: openCount)]),
    ///         Fragment("todos", rows: reader.value(of: list).map(TodoView.init)),
    ///     ]
    /// }
    /// ```
    ///
    /// The values are those of the state that is shown, computed in the store whose page it is, and
    /// remembered from one rendering to the next. A page that captures a store instead shows every
    /// visitor the values of that store, and may mix two states.
    ///
    /// - Parameters:
    ///   - title: The document's title.
    ///   - language: The document's language, a BCP 47 tag.
    ///   - templates: The templates of the fragments.
    ///   - accepts: The action types that may come in.
    ///   - expects: The token that a button may demand; see the type's description.
    ///   - fragments: The page as a function of the state and its selectors. Called on the server's
    ///     threads, once per rendered version; pure. It must not keep the reader.
    /// - Throws: ``PageError`` if two accepted types, or two fields of an action, share a name.
    public init(
        title: String, language: String = "en", templates: MustacheLibrary, accepts: [Incoming],
        expects: (@Sendable (State) -> String)? = nil,
        fragments:
            @escaping @Sendable (_ state: State, _ reader: SelectorReader<State>) -> [Fragment]
    ) throws {
        try self.init(
            title: title, language: language, templates: templates, accepts: accepts,
            expects: expects
        ) { reader, _ in fragments(reader.state, reader) }
    }

    init(
        title: String = "", language: String, templates: MustacheLibrary, accepts: [Incoming],
        beside visitors: PageVisitors? = nil, expects: (@Sendable (State) -> String)?,
        routes: (any PageRoutes<State>)? = nil,
        fragments:
            @escaping @Sendable (SelectorReader<State>, OwnState?) -> [Fragment] = { _, _ in [] }
    ) throws {
        self.title = title
        self.language = language
        self.templates = try PageTemplates(templates)
        self.accepted = try Self.named(accepts + (visitors.map { [$0.action] } ?? []))
        self.tokens = PageExpectations(page: expects)
        self.routes = routes
        self.visitors = visitors
        self.fragments = fragments
    }

    /// Returns the page with a separate token for some of its forms.
    ///
    /// ```swift
    /// let page = try Page<Game>(title: "Cards", templates: library, accepts: [GameAction.self]) { … }
    ///     .expecting("turn") { "\($0.turn)" }
    ///     .expecting("stake") { "\($0.stake)" }
    /// ```
    ///
    /// With the partial `{{> onward/form/turn}}`, in place of `{{> onward/form}}`, a form depends
    /// on the turn and on nothing else: a change of the stake doesn't make it stale. When a token
    /// changes, all fragments are drawn again; those that look different are sent.
    ///
    /// - Parameters:
    ///   - name: The name of the token in templates: letters and digits.
    ///   - token: The token of a state. Called on the server's threads; pure.
    /// - Returns: The page.
    /// - Throws: ``PageError`` if the name isn't valid.
    public func expecting(
        _ name: String, _ token: @escaping @Sendable (State) -> String
    ) throws -> Page {
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
            throw PageError(.badTokenName, key: name)
        }
        var page = self
        try page.templates.registerForm(expecting: name)
        page.tokens.named[name] = token
        return page
    }

    private static func named(_ accepts: [Incoming]) throws -> [String: Incoming] {
        try accepts.reduce(into: [:]) { accepted, type in
            if accepted.updateValue(type, forKey: type.actionName) != nil {
                throw PageError(.duplicateAction, key: type.actionName)
            }
            if let clash = FieldClash.all(in: type).first {
                throw PageError(.fieldClash, key: "\(clash.action).\(clash.field)")
            }
        }
    }
}

extension Page {
    /// Where a URL leads a visitor; on a page without routes, to the page.
    func location(at url: String, for own: OwnState? = nil) -> PageLocation<State> {
        let location =
            routes?.location(at: url)
            ?? PageLocation(
                path: "", tabLocation: TabLocation(urls: ["/"], title: title), draw: fragments,
                stack: nil)
        return location.seen(by: own)
    }
}
#endif
