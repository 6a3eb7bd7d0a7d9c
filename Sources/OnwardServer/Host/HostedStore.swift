// SPDX-License-Identifier: MIT
#if Server

public import Onward
public import OnwardJournal

/// A store as a server hosts it: what is shown, how posted actions get into it, and what keeps it.
///
/// ``Hosting`` creates these from stores and journals. A module that keeps stores elsewhere creates
/// its own, and passes them to ``Hosting/shared(_:)-(HostedStore<State>)`` or
/// ``Hosting/perVisitor(limit:idle:lifetime:open:)``.
public struct HostedStore<State: Sendable>: Sendable {
    /// How a posted action gets into a store.
    enum Application: Sendable {
        /// It is dispatched, in one step with the check of the state.
        case dispatching
        /// Someone accepts it, and later reports what became of it.
        case applying(@Sendable (PostedAction<State>) async -> PostOutcome)
    }

    let store: Store<State>
    let application: Application
    /// What a journal does for it; nil if none keeps it.
    let keeping: Keeping?
    /// The log that other servers show as well, if there is one.
    let log: SharedLog?
    /// What its readers have to know about it now.
    let notice: (@Sendable () -> String?)?
    /// Ends the store, and closes its journal.
    let shutdown: @Sendable () async -> Void

    /// What a journal does for a store.
    struct Keeping: Sendable {
        /// Returns once everything that was committed before the call has reached its level.
        let flush: @Sendable () async throws(JournalError) -> Void
        /// The requests that the newest entries of the journal come from.
        let requests: @Sendable () async throws(JournalError) -> [String]
        /// The answer when it can't be flushed.
        var rejection = Rejection.notKept
    }

    init(store: Store<State>, keeping: Keeping?, shutdown: @escaping @Sendable () async -> Void) {
        self.store = store
        self.keeping = keeping
        self.shutdown = shutdown
        application = .dispatching
        log = nil
        notice = nil
    }

    /// Creates a store that is changed by other means than its `dispatch`.
    ///
    /// Posted actions are passed to `apply`, also several at once; but never two with the same id.
    ///
    /// - Parameters:
    ///   - store: What is shown.
    ///   - log: The log that other servers show as well; nil if this is the only one.
    ///   - notice: What readers have to know about the store now, such as that it can't be changed;
    ///     nil if there is nothing. Called once a second on the server's threads; it must not
    ///     block.
    ///   - ready: Returns once the store may be shown; an error it throws is answered with 503.
    ///     Called whenever the store is drawn.
    ///   - shutdown: Ends the store of a visitor; not called for a store that all share.
    ///   - apply: Decides from the store's state whether an action is to be applied, applies it,
    ///     and returns once the store's state includes it, or with what else became of it. It must
    ///     take no longer than 12 seconds, after which a page asks again.
    public init(
        _ store: Store<State>, log: SharedLog? = nil,
        notice: (@Sendable () -> String?)? = nil,
        ready: @escaping @Sendable () async throws(JournalError) -> Void = {},
        shutdown: @escaping @Sendable () async -> Void = {},
        apply: @escaping @Sendable (PostedAction<State>) async -> PostOutcome
    ) {
        self.store = store
        self.log = log
        self.notice = notice
        self.shutdown = shutdown
        application = .applying(apply)
        keeping = Keeping(
            flush: ready, requests: { () async throws(JournalError) in [] }, rejection: .notNow)
    }
}

extension HostedStore {
    /// A store that nothing persists.
    init(_ store: Store<State>) {
        self.init(store: store, keeping: nil) { await store.shutdown() }
    }

    /// A store that a journal persists.
    init(_ persistence: Persistence<State>) where State: Codable {
        let keeping = Keeping(
            flush: { () async throws(JournalError) in try await persistence.flush() },
            requests: { () async throws(JournalError) in try await persistence.journal.requests() })
        self.init(store: persistence.store, keeping: keeping) {
            // Any obstacle was reported when it occurred.
            try? await persistence.shutdown()
        }
    }

    /// Returns once the store may be shown, so that everything done in it before is stored.
    ///
    /// - Throws: ``Rejection`` if it can't be.
    func reachLevel() async throws(Rejection) {
        guard let keeping else { return }
        do {
            try await keeping.flush()
        } catch {
            throw keeping.rejection
        }
    }

    /// What may be shown now.
    ///
    /// - Throws: ``Rejection`` as for ``reachLevel()``.
    func present() async throws(Rejection) -> SelectorReader<State> {
        switch application {
        case .dispatching:
            // What is committed from now on isn't stored yet.
            let present = store.reader
            try await reachLevel()
            return present
        case .applying:
            // A store that is ready later shows more by then.
            try await reachLevel()
            return store.reader
        }
    }

    /// Applies a posted action; a store of the server's own takes it without a suspension.
    func apply(
        _ posted: PostedAction<State>, isolation: isolated (any Actor)? = #isolation
    ) async -> PostOutcome {
        switch application {
        case .dispatching: dispatch(posted)
        case .applying(let apply): await apply(posted)
        }
    }

    private func dispatch(_ posted: PostedAction<State>) -> PostOutcome {
        switch posted.decide(on: store.state) {
        case .decline(let outcome): return outcome
        case .apply(let action, let address):
            func open(_ action: some Action) -> DispatchResult {
                guard let address else { return store.dispatch(action, file: posted.file, line: 0) }
                return store.dispatch(action, to: address, file: posted.file, line: 0)
            }
            return .dispatched(open(action))
        }
    }
}
#endif
