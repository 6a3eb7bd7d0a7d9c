// SPDX-License-Identifier: MIT

public import OnwardCore

/// A state at a version, with the values that selectors derive from it, for code that renders the
/// state and must not use a store.
///
/// ```swift
/// let page = try Page<App>(title: "To do", templates: library, accepts: []) { app, reader in
///     [
///         Fragment("count", model: ["open": reader.value(of: openCount)]),
///         Fragment("todos", rows: reader.value(of: list).map(TodoView.init)),
///     ]
/// }
/// ```
///
/// All values belong to one version. They come from the store's cache, are computed once for all
/// readers there, and are remembered until the next rendering, however many there are. A reader
/// keeps a copy of the state, so don't hold on to it.
public struct SelectorReader<State: Sendable>: Sendable {
    /// The newest commit that the state includes; 0 before any.
    public let version: CommitVersion
    private let site: SelectorSite<State>
    private let root: RootCopy
    private let hold: SelectorHold?

    init(_ site: SelectorSite<State>, _ root: RootCopy, hold: SelectorHold? = nil) {
        version = root.version
        self.site = site
        self.root = root
        self.hold = hold
    }

    /// Makes a reader of a state outside any store, for tests; selectors are computed for it alone.
    public init(_ state: State, version: CommitVersion = 0) {
        let copy = withUnsafePointer(to: state) {
            ValueCopy(of: UnsafeRawPointer($0), TypedValue<State>())
        }
        let cache = SelectorCache(StoreOptions())
        self.init(
            SelectorSite(.root, cache),
            RootCopy(copy, version: version, horizon: version, isDelivery: false),
            hold: SelectorHold())
    }

    /// The state.
    public var state: State { root.withPointer(site.getter.read) }

    /// The value of a selector in this state.
    ///
    /// Call it from any thread.
    ///
    /// - Complexity: Reads the inputs and compares them with those remembered; computes the value
    ///   only if they differ.
    public func value<Value>(of selector: StateSelector<State, Value>) -> Value {
        let input = site.input(selector)
        if let node = input.node { hold?.keep(node) }
        return input.read(root).value
    }

    /// The same reader, with its selectors remembered as long as `hold` is kept.
    package func keeping(_ hold: SelectorHold) -> SelectorReader {
        SelectorReader(site, root, hold: hold)
    }
}

extension Store {
    /// A reader of the present state.
    package var reader: SelectorReader<State> {
        SelectorReader(SelectorSite(getter, engine.selectors), engine.copyRoot())
    }
}
