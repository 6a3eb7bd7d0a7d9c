// SPDX-License-Identifier: MIT

public import Onward
internal import OnwardJournal

/// Sends the mutations of one type to the server, and shows them until it has answered.
///
/// ```swift
/// Feature<App> {
///     Send(Rename.self, at: \.server) { rename, context async throws(APIError) in
///         try await api.rename(rename, key: context.key)
///     }
///     .retry(attempts: 5, when: { $0.isTemporary })
/// }
/// ```
///
/// Each mutation is sent in a task of its own, in the order that it asks for (``Mutation/order``),
/// and not without a network (``ServerDataAction/online(_:)``). What became of it is an action,
/// ``MutationAction``; a replay sends nothing. A mutation that was being sent when the program ended
/// is sent again with the same key, so that a server that remembers the keys applies it once.
///
/// With `durable`, this is an outbox: a mutation is stored before it is sent, and one that the
/// server refuses waits to be resent or dropped, without showing or holding others up. What can't be
/// sent yet is stored when whatever keeps the store writes by itself; to know when, dispatch it with
/// `store.dispatch(_:durable:)`.
///
/// List one `Send` for a type and its data.
public struct Send<State: Sendable, M: Mutation>: Part {
    private typealias Request =
        @Sendable (M, SendContext<M.Base>) async throws(M.Failure) -> M.Answer

    private let path: any WritableKeyPath<State, Overlaid<M.Base>> & Sendable
    private let name: String?
    private let isDurable: Bool
    private let stored: (@Sendable () async throws -> Void)?
    private let request: Request
    private var change: @Sendable (Effect) -> Effect = { $0 }
    private var write: (@Sendable (inout M.Base, M, M.Answer) -> Void)?
    private var timeoutFailure: M.Failure?
    private var renewal: Renewal<M.Failure>?
    private var sends = true
    private var pauses: @Sendable (M.Failure) -> Bool = { _ in false }

    // Disfavoured: a body of several statements that returns nothing is one that answers nothing.

    /// Creates a part that sends mutations.
    ///
    /// - Parameters:
    ///   - type: The mutations.
    ///   - path: The data that they change.
    ///   - name: The step of the address, for data behind a computed property.
    ///   - isDurable: Whether a refused mutation is kept, and all are stored before they are sent.
    ///   - stored: Returns once all that was dispatched so far is stored; called before each
    ///     mutation is sent. By default it waits for what keeps the store's commits, a journal or a `Saving`. If it
    ///     throws, as it does where nothing keeps them, the mutation waits until the store starts again, or is resent.
    ///   - request: Asks the server.
    @_disfavoredOverload
    public init(
        _ type: M.Type, at path: any WritableKeyPath<State, Overlaid<M.Base>> & Sendable,
        name: String? = nil, durable isDurable: Bool = false,
        stored: (@Sendable () async throws -> Void)? = nil,
        _ request: @escaping @Sendable (M, SendContext<M.Base>) async throws(M.Failure) -> M.Answer
    ) {
        self.path = path
        self.name = name
        self.isDurable = isDurable
        self.stored = stored
        self.request = request
    }

    /// Creates a part that sends mutations to a server that answers nothing.
    ///
    /// The parameters are the same.
    public init(
        _ type: M.Type, at path: any WritableKeyPath<State, Overlaid<M.Base>> & Sendable,
        name: String? = nil, durable isDurable: Bool = false,
        stored: (@Sendable () async throws -> Void)? = nil,
        _ request: @escaping @Sendable (M, SendContext<M.Base>) async throws(M.Failure) -> Void
    ) where M.Answer == Done {
        self.init(type, at: path, name: name, durable: isDurable, stored: stored) {
            (mutation: M, context: SendContext<M.Base>) async throws(M.Failure) -> Done in
            try await request(mutation, context)
            return Done()
        }
    }

    /// Registers the reducers and effects.
    public func register(in registration: inout Registration<State>) {
        let (path, isDurable, write) = (path, isDurable, write)
        registration.add(
            Reduce(child: path, name: name) { (state: inout State, mutation: M) in
                state[keyPath: path].enqueue(mutation, durable: isDurable)
            })
        registration.add(
            Reduce(child: path, name: name) { (state: inout State, action: MutationAction<M>) in
                state[keyPath: path].reduce(action, write)
            })
        registration.add(
            Reduce(child: path, name: name) { (state: inout State, action: ServerDataAction) in
                switch action {
                case .online(let isOnline): state[keyPath: path].connect(isOnline)
                case .loggedOut: state[keyPath: path].clear()
                case .invalidated, .returned, .inSight: break
                }
            })
        guard sends else {
            // What is dispatched to the data finds it.
            return registration.add(Scope(path, name: name, PartList<Overlaid<M.Base>> {}))
        }
        registration.add(
            Scope(
                path, name: name,
                PartList {
                    While.present { context in
                        context.dispatch(MutationAction<M>.started(context.ids.next()))
                    }
                    OnAction { (action: MutationAction<M>, _: EffectContext<Overlaid<M.Base>>) in
                        guard case .confirmed(_, let mutation, _) = action,
                            !mutation.invalidates.isEmpty
                        else { return .none }
                        return .dispatch(
                            ServerDataAction.invalidated(mutation.invalidates), to: Address.root)
                    }
                    Scope(each: \.pending, sending)
                }))
    }

    /// Sends each mutation of the type, as long as it is to be sent.
    private var sending: PartList<PendingMutation<M.Base>> {
        let (request, stored, isDurable) = (request, stored, isDurable)
        let (renewal, timeoutFailure, pauses) = (renewal, timeoutFailure, pauses)
        let isSending: any KeyPath<PendingMutation<M.Base>, Bool> & Sendable =
            \PendingMutation<M.Base>.[isSending: M.name]
        return PartList {
            While(isSending) { _, context in
                let row = context.current
                guard let mutation = row.mutation as? M, let key = row.key else { return }
                if isDurable {
                    do {
                        if let stored { try await stored() } else { try await context.flush() }
                    } catch { throw NotStored() }
                }
                let noted = context.dispatch(
                    MutationAction<M>.sent(row.id, at: context.now), to: .parent)
                // It waits again, unsent: what it merges with is sent with its key, which the server takes once.
                if case .refused(.expired) = noted { return }
                let sending = SendContext(key: key, effect: context)
                let answer = try await ask(renewing: renewal) {
                    () async throws(M.Failure) in try await request(mutation, sending)
                }
                context.dispatch(
                    MutationAction<M>.confirmed(row.id, mutation, answer), to: .parent)
            } catching: { _, error, context in
                let id = context.current.id
                if error is NotStored {
                    context.dispatch(MutationAction<M>.blocked(id), to: .parent)
                } else if let failure = error as? M.Failure ?? timeoutFailure {
                    context.dispatch(
                        pauses(failure)
                            ? MutationAction<M>.paused(id, failure) : .refused(id, failure),
                        to: .parent)
                }
            }
            .modifying(change)
        }
    }
}

/// What a request of a mutation is given.
public struct SendContext<Base: Sendable>: Sendable {
    /// The same for each attempt of a mutation, and for no other: a server that remembers it applies
    /// the mutation once.
    public let key: String
    /// The effect that sends, with the store's clock, and the pending mutation as its state.
    public let effect: EffectContext<PendingMutation<Base>>
}

/// A mutation could not be stored before it was sent.
private struct NotStored: Error {}

extension Send {
    /// The same part without its effects, which is enough to run a recorded session again.
    ///
    /// Mutations are pending, and nothing is sent.
    public var reducersOnly: Send { changed { $0.sends = false } }

    /// Sends a mutation again if it fails, before it counts as refused.
    ///
    /// See `Effect.retry` for the parameters. For an outbox, give up only on what can't be retried:
    /// `.retry(attempts: .max, when: { $0.isTemporary })`.
    public func retry(
        attempts: Int, _ backoff: Backoff = .exponential(),
        when isWorthwhile: @escaping @Sendable (M.Failure) -> Bool = { _ in true }
    ) -> Send {
        changed {
            $0.change = { [before = $0.change] effect in
                before(effect).retry(attempts: attempts, backoff) { error in
                    (error as? M.Failure).map(isWorthwhile) ?? !(error is NotStored)
                }
            }
        }
    }

    /// Gives up an attempt that takes too long.
    public func timeout(after duration: Duration, failing failure: M.Failure) -> Send {
        changed {
            $0.timeoutFailure = failure
            $0.change = { [before = $0.change] in before($0).timeout(after: duration) }
        }
    }

    /// Pauses when a mutation could not be sent, in place of refusing it.
    ///
    /// It keeps its place and shows on, and nothing more is sent until the app says so
    /// (``MutationAction/resume``), a further mutation comes, or the network returns.
    /// ``Overlaid/isPaused`` says that it is so, also after a restart of a store that is kept.
    ///
    /// - Parameter isTemporary: Whether the server may take the mutation later, after all retries.
    /// - Returns: The same part, which pauses.
    public func pausing(
        when isTemporary: @escaping @Sendable (M.Failure) -> Bool
    ) -> Send {
        changed { $0.pauses = isTemporary }
    }

    /// Also writes the server's answer into the confirmed data, after the mutation itself; must be
    /// pure.
    public func writes(_ write: @escaping @Sendable (inout M.Base, M, M.Answer) -> Void) -> Send {
        changed { $0.write = write }
    }

    /// Renews what requests need, such as an expired token, once for all; see ``Renewal``.
    public func renewing(_ renewal: Renewal<M.Failure>) -> Send {
        changed { $0.renewal = renewal }
    }

    private func changed(_ change: (inout Send) -> Void) -> Send {
        var result = self
        change(&result)
        return result
    }
}

extension Overlaid {
    mutating func reduce<M: Mutation<Base>>(
        _ action: MutationAction<M>, _ write: ((inout Base, M, M.Answer) -> Void)?
    ) {
        switch action {
        case .started(let session): start(session, sending: M.name)
        case .sent(let id, _): note(attempt: id)
        case .confirmed(let id, let mutation, let answer):
            if let write {
                confirm(id) { write(&$0, mutation, answer) }
            } else {
                confirm(id)
            }
        case .refused(let id, let failure): refuse(id, failure)
        case .paused(let id, let failure): pause(id, failure)
        case .resume: resume()
        case .blocked(let id): block(id)
        case .resend(let id, let mutation): resend(id, mutation)
        case .drop(let id): drop(id)
        }
    }
}

extension Fetch {
    /// Also writes each answer into data that mutations change, under those that are pending.
    ///
    /// An answer that was asked for before a mutation was confirmed is asked for again, at most
    /// twice; then it is taken, with the mutations over it that were confirmed since. So what a
    /// mutation has changed never shows its old value again. An answer for which more than 100 were
    /// confirmed meanwhile is asked for again each time.
    ///
    /// - Parameters:
    ///   - path: The data.
    ///   - write: Writes the answer; must be pure. Runs in the same commit as the answer.
    /// - Returns: The same part, which writes.
    /// - Precondition: The query is not transient (``Query/isTransient``).
    public func writes<Base: Sendable>(
        _ path: any WritableKeyPath<State, Overlaid<Base>> & Sendable,
        _ write: @escaping @Sendable (inout Base, Q, Q.Answer) -> Void
    ) -> Fetch {
        writing(confirmations: { $0[keyPath: path].confirmations }) {
            state, key, answer, confirmations in
            state[keyPath: path].write(askedAfter: confirmations) { write(&$0, key, answer) }
        }
    }
}
