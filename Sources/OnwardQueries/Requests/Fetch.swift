// SPDX-License-Identifier: MIT

public import Onward

/// Keeps the answers of a query up to date in a ``QueryCache``: what is wanted is asked for once,
/// kept, refreshed and shared.
///
/// ```swift
/// Feature<App> {
///     Fetch(\.pages, while: { $0.wanted }) { notes, _ async throws(APIError) in
///         try await api.notes(page: notes.page)
///     }
///     .tags { _, page in page.notes.map { .note($0.id) } + [.notes] }
///     .fresh(for: .seconds(30))
/// }
/// ```
///
/// What is wanted is a function of the state. A key that appears in it is asked for, unless its
/// answer is fresh; one that disappears is no longer asked for, and its answer is kept a while.
/// Views want further keys by handles, see ``QueryHandle``; where all keys are wanted that way, leave
/// `while` out.
///
/// The requests and the answers are actions, ``QueryAction``: a replay sends nothing and shows what
/// the server said. A request runs in a task of its own, outside the lock, and is cancelled when
/// nobody wants its key any more. During time travel nothing is asked.
///
/// List one `Fetch` for a cache.
public struct Fetch<State: Sendable, Q: Query>: Part {
    /// How a request is sent; called in a task of its own for each attempt.
    public typealias Request =
        @Sendable (Q, EffectContext<QueryRequest<Q>>) async throws(Q.Failure) -> Q.Answer

    private let enter: @Sendable (Fetch, inout Registration<State>) -> Void
    /// What the state wants; nil if it wants nothing.
    private let wants: Wants<State, [Q]>?
    private let request: Request
    private var rules = QueryRules<Q>()
    private var change: @Sendable (Effect) -> Effect = { $0 }
    private var timeoutFailure: Q.Failure?
    private var renewal: Renewal<Q.Failure>?
    private var asks = true
    private var confirmations: @Sendable (State) -> Int = { _ in 0 }
    private var write: @Sendable (inout State, Q, Q.Answer, _ confirmations: Int) -> Void = {
        _, _, _, _ in
    }

    /// Creates a part that keeps a cache up to date.
    ///
    /// - Parameters:
    ///   - path: The cache.
    ///   - name: The step of the address, for a cache behind a computed property.
    ///   - want: The keys that are wanted, the first ones first; must be pure. It runs after every
    ///     commit, outside the lock, on a copy of the state's struct, and may depend on the answers of
    ///     other queries.
    ///   - request: Asks the server.
    ///
    /// - Complexity: a commit of anything costs what `want` does, and the copy. Where a property has
    ///   the keys, its key path in place of the closure costs other commits nothing.
    public init(
        _ path: any WritableKeyPath<State, QueryCache<Q>> & Sendable, name: String? = nil,
        while want: @escaping @Sendable (State) -> [Q], _ request: @escaping Request
    ) {
        self.init(path, name: name, .itself, while: Wants(want), request)
    }

    /// Creates a part that keeps a cache up to date, where a property has the keys that are wanted.
    ///
    /// ```swift
    /// struct App: Sendable { var wanted = [Notes()], pages = QueryCache<Notes>() }
    ///
    /// Fetch(\.pages, while: \.wanted) { notes, _ async throws(APIError) in try await api.notes(notes) }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The cache.
    ///   - name: The step of the address, for a cache behind a computed property.
    ///   - want: The keys that are wanted, the first ones first.
    ///   - request: Asks the server.
    ///
    /// - Complexity: for a stored property, commits of anything else cost nothing.
    public init(
        _ path: any WritableKeyPath<State, QueryCache<Q>> & Sendable, name: String? = nil,
        while want: any KeyPath<State, [Q]> & Sendable, _ request: @escaping Request
    ) {
        self.init(path, name: name, .itself, while: Wants(want), request)
    }

    /// Creates a part that keeps a cache up to date, whose keys are wanted by handles alone.
    ///
    /// - Parameters:
    ///   - path: The cache.
    ///   - name: The step of the address, for a cache behind a computed property.
    ///   - request: Asks the server.
    public init(
        _ path: any WritableKeyPath<State, QueryCache<Q>> & Sendable, name: String? = nil,
        _ request: @escaping Request
    ) {
        self.init(path, name: name, .itself, while: nil, request)
    }

    /// Creates a part for a cache inside another slice.
    init<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, name: String?,
        _ place: CachePlace<Slice, Q>, while wants: Wants<State, [Q]>?,
        _ request: @escaping Request
    ) {
        self.wants = wants
        self.request = request
        enter = { $0.register(path, name, place, in: &$1) }
    }

    /// Registers the reducers and effects.
    public func register(in registration: inout Registration<State>) {
        enter(self, &registration)
    }

    private func register<Slice: Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, _ name: String?,
        _ place: CachePlace<Slice, Q>, in registration: inout Registration<State>
    ) {
        let (rules, write, confirmations) = (rules, write, confirmations)
        registration.add(
            Reduce(child: path, name: name) { (state: inout State, action: QueryAction<Q>) in
                let confirmed = confirmations(state)
                let step = state[keyPath: path][keyPath: place.cache].reduce(
                    action, rules, confirmations: confirmed)
                if case .taken(let key, let answer, let confirmations) = step {
                    write(&state, key, answer, confirmations)
                    place.taken(&state[keyPath: path])
                }
            })
        registration.add(
            Reduce(child: path, name: name) { (state: inout State, action: ServerDataAction) in
                state[keyPath: path][keyPath: place.cache].reduce(action, rules)
                if action == .loggedOut { place.cleared(&state[keyPath: path]) }
            })
        guard asks else {
            // What is dispatched to the cache finds it.
            return registration.add(Scope(path, name: name, PartList<Slice> {}))
        }
        if place.wants == nil {
            registration.add(
                wanting(wants, at: .child(path, name: name)) {
                    $0[keyPath: path][keyPath: place.cache]
                })
        }
        registration.add(
            Scope(
                path, name: name,
                PartList {
                    if let wants = place.wants {
                        wanting(wants, at: nil) { $0[keyPath: place.cache] }
                    }
                    holding(place)
                    deadlines(place)
                    returning(place)
                    Scope(each: place.requests, requests)
                }))
    }

    /// Says what is wanted, whenever it changes, and when the store begins.
    ///
    /// - Parameters:
    ///   - wants: What is wanted; nil for nothing.
    ///   - instance: The place of the cache, if it is not where the part is.
    ///   - cache: The cache.
    /// - Returns: Its parts.
    private func wanting<Owner: Sendable>(
        _ wants: Wants<Owner, [Q]>?, at instance: AddressPath<Owner>?,
        _ cache: @escaping @Sendable (Owner) -> QueryCache<Q>
    ) -> PartList<Owner> {
        PartList {
            While.present { context in
                func say(_ action: QueryAction<Q>) {
                    if let instance {
                        context.dispatch(action, to: instance)
                    } else {
                        context.dispatch(action)
                    }
                }
                // A journal may have kept the handles of an earlier run, and what that wanted.
                let others = Set(cache(context.current).holds.keys.map(\.process))
                    .subtracting([Process.current])
                say(.started(without: others.sorted()))
                guard let wants else { return say(.wanted([], at: context.now)) }
                wants.begin(context) { say(.wanted($0, at: context.now)) }
            }
            if let wants {
                OnChange(of: wants.selection) { _, keys, context in
                    .dispatch(
                        QueryAction.wanted(keys, at: context.now),
                        to: instance.map(context.address.appending) ?? context.address)
                }
            }
        }
    }

    /// Says when what handles hold has changed, or a logout has emptied the cache.
    private func holding<Slice: Sendable>(_ place: CachePlace<Slice, Q>) -> OnChange<Slice> {
        OnChange(of: place.generation) { _, _, context in
            .dispatch(QueryAction<Q>.heldChanged(at: context.now), to: context.address)
        }
    }

    /// Waits for the next deadline of the cache.
    private func deadlines<Slice: Sendable>(_ place: CachePlace<Slice, Q>) -> PartList<Slice> {
        PartList {
            While(place.nextDeadline) { deadline, context in
                let wait = deadline - context.now
                if wait > .zero { try await context.clock.sleep(for: wait) }
                // A wall clock that was set back doesn't let the deadline come a second time.
                context.dispatch(QueryAction<Q>.elapsed(at: max(deadline, context.now)))
            }
        }
    }

    /// Says that the user has returned after a deadline that the clock has not reported yet.
    private func returning<Slice: Sendable>(_ place: CachePlace<Slice, Q>) -> PartList<Slice> {
        PartList {
            OnAction { (slice: Slice, action: ServerDataAction, context) in
                let now = context.now
                guard action == .returned, let deadline = slice[keyPath: place.nextDeadline],
                    deadline <= now
                else { return .none }
                return .dispatch(QueryAction<Q>.returned(at: now), to: context.address)
            }
        }
    }

    /// Sends each request; it lives as long as its row.
    private var requests: PartList<QueryRequest<Q>> {
        let (request, renewal, timeoutFailure) = (request, renewal, timeoutFailure)
        return PartList {
            While.present { context in
                let row = context.current
                context.dispatch(
                    QueryAction<Q>.asked(row.key, request: row.id, at: context.now), to: .parent)
                let answer = try await ask(renewing: renewal) {
                    () async throws(Q.Failure) in try await request(row.key, context)
                }
                let now = context.now
                context.dispatch(
                    Q.isTransient
                        ? QueryAction<Q>.received(
                            row.key, request: row.id, TransientAnswer(answer), at: now)
                        : .answered(row.key, request: row.id, answer, at: now),
                    to: .parent)
            } catching: { error, context in
                let row = context.current
                guard let failure = error as? Q.Failure ?? timeoutFailure else { return }
                context.dispatch(
                    QueryAction<Q>.failed(row.key, request: row.id, failure, at: context.now),
                    to: .parent)
            }
            .modifying(change)
        }
    }
}

/// Where a cache is in the slice whose instance its actions are addressed to.
///
/// Key paths that are put together from others are not `Sendable`, so each is written out.
struct CachePlace<Slice: Sendable, Q: Query>: Sendable {
    let cache: any WritableKeyPath<Slice, QueryCache<Q>> & Sendable
    let requests: any WritableKeyPath<Slice, EntityTable<QueryRequest<Q>>> & Sendable
    let nextDeadline: any KeyPath<Slice, Timestamp?> & Sendable
    let generation: any KeyPath<Slice, Int> & Sendable
    /// What the slice itself wants, for one that decides that.
    var wants: Wants<Slice, [Q]>?
    /// After an answer was taken.
    let taken: @Sendable (inout Slice) -> Void
    /// After a logout.
    let cleared: @Sendable (inout Slice) -> Void
}

extension CachePlace where Slice == QueryCache<Q> {
    /// A cache that is the slice.
    static var itself: CachePlace {
        CachePlace(
            cache: \.self, requests: \.requests, nextDeadline: \.nextDeadline,
            generation: \.generation, taken: { _ in }, cleared: { _ in })
    }
}

// MARK: - How the answers are kept

extension Fetch {
    /// Says which things an answer depends on; invalidating one of their tags makes it stale.
    ///
    /// - Parameter tags: The tags of an answer; must be pure. Runs in the reducer.
    /// - Returns: The same part with the tags.
    public func tags(_ tags: @escaping @Sendable (Q, Q.Answer) -> [QueryTag]) -> Fetch {
        changed { $0.rules.tags = tags }
    }

    /// Says how long an answer is fresh; without it, until it is invalidated.
    ///
    /// An older answer is still shown. It is asked for again when its key is newly wanted, when the
    /// user returns, and when the network does.
    public func fresh(for duration: Duration) -> Fetch {
        changed { $0.rules.freshFor = max(.zero, duration) }
    }

    /// Asks for wanted keys again, a while after each answer or failure, as long as the app is in
    /// sight; see ``ServerDataAction/inSight(_:)``.
    public func every(_ interval: Duration) -> Fetch {
        changed { $0.rules.interval = interval }
    }

    /// Limits what the cache keeps.
    ///
    /// - Parameters:
    ///   - count: The most keys; wanted ones count, and of those only the first ones are served.
    ///   - bytes: The most bytes of all answers, beyond which unwanted ones are dropped, those first
    ///     that are unwanted longest.
    ///   - unused: How long an answer is kept that nobody wants.
    ///   - measure: What an answer counts, in bytes; must be pure. Runs in the reducer.
    /// - Returns: The same part with the limits.
    public func keeping(
        count: Int = 1_000, bytes: Int = .max, unused: Duration = .seconds(300),
        measuring measure: @escaping @Sendable (Q.Answer) -> Int = { _ in 0 }
    ) -> Fetch {
        changed {
            $0.rules.count = max(1, count)
            $0.rules.bytes = max(0, bytes)
            $0.rules.keepsUnused = max(.zero, unused)
            $0.rules.measure = measure
        }
    }

    /// Also writes each answer into a part of the state, such as a table that several queries fill.
    ///
    /// - Parameters:
    ///   - path: The part of the state.
    ///   - write: Writes the answer; must be pure. Runs in the same commit as the answer.
    /// - Returns: The same part, which writes.
    /// - Precondition: The query is not transient (``Query/isTransient``): what an answer is written
    ///   into is recorded.
    @_disfavoredOverload
    public func writes<Target: Sendable>(
        _ path: any WritableKeyPath<State, Target> & Sendable,
        _ write: @escaping @Sendable (inout Target, Q, Q.Answer) -> Void
    ) -> Fetch {
        requireKept()
        return changed { fetch in
            fetch.write = { [before = fetch.write] state, key, answer, confirmations in
                before(&state, key, answer, confirmations)
                write(&state[keyPath: path], key, answer)
            }
        }
    }
}

// MARK: - How requests are sent

extension Fetch {
    /// The same part without its effects, which is enough to run a recorded session again.
    ///
    /// It wants nothing and asks for nothing, and takes what is dispatched.
    public var reducersOnly: Fetch { changed { $0.asks = false } }

    /// Sends a request again if it fails.
    ///
    /// The cache learns of the last failure only. See `Effect.retry` for the parameters.
    public func retry(
        attempts: Int, _ backoff: Backoff = .exponential(),
        when isWorthwhile: @escaping @Sendable (Q.Failure) -> Bool = { _ in true }
    ) -> Fetch {
        changed {
            $0.change = { [before = $0.change] effect in
                before(effect).retry(attempts: attempts, backoff) {
                    ($0 as? Q.Failure).map(isWorthwhile) ?? true
                }
            }
        }
    }

    /// Gives up an attempt that takes too long.
    ///
    /// Listed before ``retry(attempts:_:when:)``, it limits each attempt; after it, all of them.
    public func timeout(after duration: Duration, failing failure: Q.Failure) -> Fetch {
        changed {
            $0.timeoutFailure = failure
            $0.change = { [before = $0.change] in before($0).timeout(after: duration) }
        }
    }

    /// Limits how many requests are sent at a time; the others wait, in the order of what is wanted.
    public func concurrent(_ limit: Int) -> Fetch {
        changed { $0.rules.requests = max(1, limit) }
    }

    /// Renews what requests need, such as an expired token, once for all requests that fail for
    /// lack of it, and sends them again.
    public func renewing(_ renewal: Renewal<Q.Failure>) -> Fetch {
        changed { $0.renewal = renewal }
    }

    /// What is written into the state is in the journal and in reports, which a transient answer must not be.
    private func requireKept() {
        precondition(
            !Q.isTransient,
            """
            The query "\(Q.name)" is transient, so its answers are recorded nowhere, but \
            Fetch.writes would put them into a part of the state that is. To fix this, read them \
            from the cache, or make the query one that is kept: isTransient = false.
            """)
    }

    /// Writes each answer, and learns how many mutations were confirmed before it was asked for.
    func writing(
        confirmations: @escaping @Sendable (State) -> Int,
        _ write: @escaping @Sendable (inout State, Q, Q.Answer, _ confirmations: Int) -> Void
    ) -> Fetch {
        requireKept()
        return changed { fetch in
            fetch.confirmations = confirmations
            fetch.write = { [before = fetch.write] state, key, answer, confirmations in
                before(&state, key, answer, confirmations)
                write(&state, key, answer, confirmations)
            }
        }
    }

    private func changed(_ change: (inout Fetch) -> Void) -> Fetch {
        var result = self
        change(&result)
        return result
    }
}
