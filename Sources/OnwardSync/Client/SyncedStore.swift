// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// The store of a client, ahead of its server, offline and in step with it.
///
/// ```swift
/// let synced = try await SyncedStore(of: TodoList(), over: transport, in: journal) { list }
/// let result = synced.store.dispatch(TodoAction.add("Milk"))     // shows at once
/// if let version = result.version { await synced.outcome(of: version) }
/// ```
///
/// ``store`` is a store as any other. What it shows is the state that the server has confirmed, and
/// this client's pending actions folded over it, by the features that the server has as well:
///
/// - A dispatch is checked here, shows at once, is kept in the journal and proposed. Its confirmation is
///   no commit, unless the time or the author that the server gave its reducers makes a difference.
/// - What others have done comes as one commit of the kind `.travel`: subscribers are notified of
///   differences only, `While` effects go on, and `OnAction` is not called. Pending actions are decided
///   again: one that a check now refuses doesn't show, and is still the server's to decide.
/// - What the server refuses falls out; its reason is the check's (``outcome(of:)``).
/// - While a `History` or another gate shows another moment, what comes from the server waits, and what is
///   dispatched here is withheld.
///
/// Actions that the server must not have are ``SyncOptions/localActions``.
///
/// The client ends when it is stopped or released.
public final class SyncedStore<State: Codable & Sendable>: Sendable {
    /// The store.
    public let store: Store<State>
    /// How the client stands with its server; to be read and subscribed to, not dispatched to.
    public let status: Store<SyncStatus>
    private let core: ClientCore<State>
    private let keeper: ClientKeeper<State>
    private let tasks: [Task<Void, Never>]

    /// Takes up what an earlier run has kept, and begins to connect.
    ///
    /// - Parameters:
    ///   - initial: The state before anything came from a server.
    ///   - transport: How the server is reached.
    ///   - journal: Where what is confirmed and pending is kept: a journal of its own, and of one person, as what
    ///     is pending goes up as whoever connects. With a `MemoryJournal` nothing outlives the program.
    ///   - options: What has to be as on the server.
    ///   - storeOptions: The options of the store.
    ///   - features: The features, as on the server; made several times.
    /// - Throws: `JournalError` with the code `foreign` for a journal that has something else; what the journal
    ///   throws.
    /// - Complexity: O(size of the state + what is kept).
    public init(
        of initial: State, over transport: some SyncTransport, in journal: some Journal,
        options: SyncOptions<State> = SyncOptions(), storeOptions: StoreOptions = StoreOptions(),
        @FeatureBuilder<State> _ features: @Sendable () -> [any Part<State>]
    ) async throws(JournalError) {
        var options = options
        options.limits = options.limits.usable(storeOptions.report)
        let syncFeatures = StoreSyncFeatures(initial, options, storeOptions, features)
        var kept = ClientJournal(journal)
        var machine = ClientMachine(
            initial, syncFeatures, fingerprint: syncFeatures.codec.fingerprint, client: ClientID(),
            session: .random(in: 0 ... .max), limits: options.limits)
        let (whole, records) = try await kept.read()
        if let whole {
            let state = try syncFeatures.codec.states.decode(
                JournalSnapshot(
                    version: whole.version, schema: whole.schema, fingerprint: whole.fingerprint,
                    payload: whole.state))
            machine.restore(
                state, log: whole.log, version: whole.version, pending: whole.pending)
        }
        for record in records { machine.restore(record) }
        if let whole, whole.fingerprint != syncFeatures.codec.fingerprint { machine.distrust() }
        let shown = machine.shownState()
        machine.hasShown()
        store = ClientSide.make { Store(shown, options: storeOptions, features) }
        var status = SyncStatus()
        status.pending = machine.pending.count
        self.status = Store(status) {
            Reduce { (status: inout SyncStatus, action: SyncStatusAction) in status.reduce(action) }
        }
        let desk = ClientDesk<State>(
            store, limit: options.limits.pending,
            ActionKinds(store.log.actions, local: options.localActions), storeOptions, self.status)
        let token = store.log.attach(desk)
        let controller = store.log.attach(gate: desk)
        core = ClientCore(
            store, desk, token, controller, syncFeatures, machine, kept, self.status, options)
        keeper = ClientKeeper(core, kept.durability)
        store.log.attach(keeper: keeper)
        await core.begin()
        tasks = Self.run(core, transport, storeOptions.clock, options.limits)
    }

    deinit {
        for task in tasks { task.cancel() }
        // It ends with what it keeps alive: what was dispatched last is written first.
        Task { [core] in await core.stop() }
    }

    /// Keeps a connection, and lets time pass, until the tasks are cancelled.
    private static func run(
        _ core: ClientCore<State>, _ transport: some SyncTransport, _ clock: any Clock<Duration>,
        _ limits: SyncLimits
    ) -> [Task<Void, Never>] {
        let connecting = Task {
            var failures = 0
            while !Task.isCancelled {
                do {
                    let connection = try await transport.connect()
                    await core.connected(connection)
                    do {
                        for try await message in connection.messages {
                            guard await core.receive(message) else { break }
                        }
                    } catch {}
                    if await core.disconnected() { failures = 0 }
                } catch let problem as SyncProblem {
                    await core.failed(problem)
                } catch {}
                // From a quarter of a second to 16 seconds, and not all clients at once.
                failures = min(failures + 1, 7)
                let longest = 125 << failures
                let pause = Duration.milliseconds(Int.random(in: longest / 2...longest))
                do {
                    if try await core.wait(pause, on: clock) { failures = 0 }
                } catch {
                    return
                }
            }
        }
        let ticking = Task {
            while !Task.isCancelled {
                do { try await clock.sleep(for: limits.patience / 5) } catch { return }
                await core.tick()
            }
        }
        return [connecting, ticking]
    }

    /// Tries to reach the server at once, in place of after a pause: as when the system says that there is a network
    /// again, or the app is in front.
    ///
    /// Without it, a client tries after a quarter of a second and then less often, at least every 16 seconds. Does nothing
    /// while the server answers.
    public func retry() { Task { await core.retry() } }

    /// Waits for what the server makes of an action that was dispatched here.
    ///
    /// It may take as long as this client is offline. A decision is reported once it is kept, so that
    /// what was confirmed is confirmed after a restart as well; while the journal has another writer or is gone
    /// (``SyncStatus/failure``), at once.
    ///
    /// - Parameter version: The version of the dispatch, from `DispatchResult.version`.
    /// - Returns: The outcome; nil for a version that is none of an action that is proposed, or was so
    ///   long ago that its outcome is forgotten (1,000 are remembered), and when this client is stopped.
    public func outcome(of version: CommitVersion) async -> SyncOutcome? {
        await core.outcome(of: version)
    }

    /// The state that the server has confirmed, without what is pending here.
    ///
    /// A row that is another one here waits for the server's decision.
    public var confirmed: State {
        get async { await core.confirmed }
    }

    /// What is confirmed and what is pending at this moment, apart.
    ///
    /// - Throws: `JournalError` with the code `invalid` for a state that can't be encoded.
    /// - Complexity: O(size of the state + pending actions).
    public func parts() async throws(JournalError) -> SyncedParts<State> { try await core.parts() }

    /// What is confirmed and what is pending, kept up to date while the result is held.
    package func watch() async -> SyncWatch<State> { await core.watch() }

    /// Keeps what was dispatched, ends the connection, and answers those who wait for outcomes.
    ///
    /// Once it returns, the journal is free for the next client. The store goes on with local actions; what would
    /// have to be proposed is withheld.
    public func stop() async {
        for task in tasks { task.cancel() }
        await core.stop()
    }
}

/// Has durable dispatches wait until an action is among what a client keeps.
private final class ClientKeeper<State: Codable & Sendable>: CommitKeeper {
    private weak let core: ClientCore<State>?
    let durability: Durability

    init(_ core: ClientCore<State>, _ durability: Durability) {
        self.core = core
        self.durability = durability
    }

    func flush() async throws { try await core?.flush() }
}
