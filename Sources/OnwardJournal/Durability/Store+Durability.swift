// SPDX-License-Identifier: MIT

public import Onward

extension Store {
    /// Dispatches an action, and returns once what it has changed is kept.
    ///
    /// ```swift
    /// try await store.dispatch(OutboxAction.write(letter), durable: .written)   // survives `kill -9` from here on
    /// ```
    ///
    /// It waits for everything that keeps this store's commits: each journal, each ``Saving``, each ``CommitKeeper``.
    /// A `Saving` keeps its own slice: whether the action's is among these, only you know. Nor is an action kept that
    /// ``PersistenceOptions/recorded`` leaves out, or a value in whose place a `whenReplaced` has chosen another program's.
    ///
    /// In a cluster a proposal is acknowledged instead: `ClusteredStore.propose` returns no sooner.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - instance: The instance that it is meant for; by default all that handle it.
    ///   - durability: What it has to survive.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    ///   - isolation: The caller's actor; subscribers on that actor are called at once.
    /// - Returns: What became of the action. One that was withheld or refused is not waited for.
    /// - Throws: ``DurabilityError``. Before anything is dispatched, where nothing in the store keeps it so. Afterwards if
    ///   it could not be stored, or if the task was cancelled meanwhile: the action is then in the state.
    /// - Complexity: As `dispatch`, and what the slowest of the storages takes to write what waits.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to instance: Address = .root, durable durability: Durability,
        file: String = #fileID, line: Int = #line, isolation: isolated (any Actor)? = #isolation
    ) async throws(DurabilityError) -> DispatchResult {
        let keepers = try engine.keepers(durability)
        let result = dispatch(action, to: instance, file: file, line: line, isolation: isolation)
        guard case .accepted = result else { return result }
        if let error = await keepers.flush() { throw .failed(error, result) }
        return result
    }

    /// The same for an instance inside the state: `to: .row(\.letters, id: 7)`.
    @discardableResult
    public func dispatch<A: Action>(
        _ action: A, to instance: AddressPath<State>, durable durability: Durability,
        file: String = #fileID, line: Int = #line, isolation: isolated (any Actor)? = #isolation
    ) async throws(DurabilityError) -> DispatchResult {
        try await dispatch(
            action, to: instance.address, durable: durability, file: file, line: line,
            isolation: isolation)
    }

    /// Returns once everything that was committed before the call is kept: for the moment before an app is
    /// suspended, and where something may happen only once it is stored.
    ///
    /// - Parameter durability: What it has to survive.
    /// - Throws: ``DurabilityError``: the first error, after all storages have been tried.
    public func flush(_ durability: Durability = .written) async throws(DurabilityError) {
        try await engine.flush(durability)
    }
}

extension EffectContext {
    /// Returns once everything that was committed before the call is kept, as what started this effect: for what may be
    /// sent only then.
    ///
    /// - Parameter durability: What it has to survive.
    /// - Throws: ``DurabilityError``, also when the effect is cancelled.
    public func flush(_ durability: Durability = .written) async throws(DurabilityError) {
        try await engine.flush(durability)
    }
}

extension StoreLog {
    /// Has durable dispatches wait for something that keeps what is committed; it is not kept alive.
    public func attach(keeper: some CommitKeeper) {
        store.engine.attached(CommitKeepers.self).add(keeper)
    }
}

/// What keeps the commits of a store, as long as each lives.
final class CommitKeepers: Attachment {
    /// Refers to a keeper without keeping it.
    private struct Reference: Sendable {
        weak let keeper: (any CommitKeeper)?
    }

    private let references = Guarded<[Reference]>([])

    init(in engine: Engine, _ locked: borrowing Locked) {}

    /// They stay: what was committed last may yet be stored.
    func end(in engine: Engine) {}

    /// Those that are there.
    var all: [any CommitKeeper] { references.withValue { $0 }.compactMap(\.keeper) }

    func add(_ keeper: some CommitKeeper) {
        references.withValue { references in
            references.removeAll { $0.keeper == nil }
            references.append(Reference(keeper: keeper))
        }
    }

    func remove(_ keeper: some CommitKeeper) {
        references.withValue { references in
            references.removeAll { $0.keeper == nil || $0.keeper === keeper }
        }
    }
}

extension Engine {
    /// Returns once what was committed before the call survives this much.
    fileprivate func flush(_ durability: Durability) async throws(DurabilityError) {
        let keepers = try keepers(durability)
        if let error = await keepers.flush() { throw .failed(error, nil) }
    }

    /// What keeps this store's commits so that they survive this much.
    fileprivate func keepers(
        _ durability: Durability
    ) throws(DurabilityError) -> [any CommitKeeper] {
        let slices = attached(SavedSlices.self)
        let keepers = attached(CommitKeepers.self).all + (slices.all.isEmpty ? [] : [slices])
        let whole = keepers.filter(\.keepsEverything).map(\.durability).max()
        guard let present = whole ?? keepers.map(\.durability).min() else { throw .notKept }
        guard present >= durability else { throw .weaker(present, than: durability) }
        return keepers
    }
}

extension [any CommitKeeper] {
    /// Has all of them store what they have; returns the first error.
    fileprivate func flush() async -> (any Error)? {
        var first: (any Error)?
        for keeper in self {
            do {
                try await keeper.flush()
            } catch {
                first = first ?? error
            }
        }
        return first
    }
}
