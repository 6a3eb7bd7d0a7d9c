// SPDX-License-Identifier: MIT

public import Onward

/// Keeps the pages of a list up to date in a ``PagedList``, one request at a time, in their order.
///
/// ```swift
/// Feature<App> {
///     FetchPages(\.feed, while: { $0.isFeedShown ? Feed(search: $0.search) : nil }) {
///         page, _ async throws(APIError) in
///         try await api.notes(matching: page.list.search, page: page.cursor)
///     }
///     .fetching { $0.fresh(for: .seconds(60)) }
/// }
/// ```
///
/// The list begins with one page; ``PagedAction/next`` and ``PagedAction/previous`` show more.
public struct FetchPages<State: Sendable, Q: PagedQuery>: Part {
    private let path: any WritableKeyPath<State, PagedList<Q>> & Sendable
    private let name: String?
    private let limit: Int
    private let wants: Wants<State, Q?>
    private var fetch: Fetch<State, PageQuery<Q>>

    /// Creates a part that keeps a list up to date.
    ///
    /// - Parameters:
    ///   - path: The list.
    ///   - name: The step of the address, for a list behind a computed property.
    ///   - limit: The most pages that are shown; for a further one, that at the other end goes.
    ///   - query: The list that is wanted; nil for none. Must be pure; runs after every commit, outside
    ///     the lock, on a copy of the state's struct.
    ///   - request: Asks the server for a page.
    public init(
        _ path: any WritableKeyPath<State, PagedList<Q>> & Sendable, name: String? = nil,
        keeping limit: Int = 10, while query: @escaping @Sendable (State) -> Q?,
        _ request: @escaping Fetch<State, PageQuery<Q>>.Request
    ) {
        self.init(path, name: name, keeping: limit, Wants(query), request)
    }

    /// Creates a part that keeps a list up to date, where a property says which one is wanted.
    ///
    /// - Parameters:
    ///   - path: The list.
    ///   - name: The step of the address, for a list behind a computed property.
    ///   - limit: The most pages that are shown; for a further one, that at the other end goes.
    ///   - query: The list that is wanted; nil for none. For a stored property, commits of anything
    ///     else cost nothing.
    ///   - request: Asks the server for a page.
    public init(
        _ path: any WritableKeyPath<State, PagedList<Q>> & Sendable, name: String? = nil,
        keeping limit: Int = 10, while query: any KeyPath<State, Q?> & Sendable,
        _ request: @escaping Fetch<State, PageQuery<Q>>.Request
    ) {
        self.init(path, name: name, keeping: limit, Wants(query), request)
    }

    private init(
        _ path: any WritableKeyPath<State, PagedList<Q>> & Sendable, name: String?,
        keeping limit: Int, _ wants: Wants<State, Q?>,
        _ request: @escaping Fetch<State, PageQuery<Q>>.Request
    ) {
        self.path = path
        self.name = name
        self.limit = max(1, limit)
        self.wants = wants
        fetch = Fetch(path, name: name, .pages(), while: nil, request).concurrent(1)
    }

    /// Says how the pages are kept and asked for: their tags, freshness, polling and retries, and
    /// where else their answers are written.
    public func fetching(
        _ change: (Fetch<State, PageQuery<Q>>) -> Fetch<State, PageQuery<Q>>
    ) -> FetchPages {
        var result = self
        result.fetch = change(fetch)
        return result
    }

    /// Registers the reducers and effects.
    public func register(in registration: inout Registration<State>) {
        let (path, limit, wants, fetch) = (path, limit, wants, fetch)
        let place = AddressPath<State>.child(path, name: name)
        registration.add(
            Reduce(child: path, name: name) { (state: inout State, action: PagedAction<Q>) in
                state[keyPath: path].reduce(action, keeping: limit)
            })
        registration.add(
            While.present { context in
                wants.begin(context) { context.dispatch(PagedAction.show($0), to: place) }
            })
        registration.add(
            OnChange(of: wants.selection) { _, list, context in
                .dispatch(PagedAction.show(list), to: context.address.appending(place))
            })
        registration.add(fetch)
    }
}

extension CachePlace {
    /// The cache of a list in pages.
    fileprivate static func pages<List: PagedQuery>() -> CachePlace
    where Slice == PagedList<List>, Q == PageQuery<List> {
        CachePlace(
            cache: \.pages, requests: \.pages.requests, nextDeadline: \.pages.nextDeadline,
            generation: \.pages.generation, wants: Wants(\.shown), taken: { $0.update() },
            cleared: { $0.clear() })
    }
}
