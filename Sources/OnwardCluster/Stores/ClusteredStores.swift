// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// Stores of one kind on many nodes, such as one for each visitor: each node opens those that somebody needs.
///
/// ```swift
/// let baskets = ClusteredStores(of: Basket(), named: "baskets", on: node) { name in
///     try await PostgresJournal(at: address, store: name)
/// } features: {
///     basketRules
/// }
/// let basket = try await baskets.open("7")
/// await basket.propose(BasketAction.add("pear"))
/// await baskets.close("7")
/// ```
///
/// Every node of the cluster makes the same kinds. A store that nobody needs is closed after a while. Its log says who
/// owns it: a proposal of another node has it opened there again. So a node has more of them open than it has asked
/// for, at most as many as all nodes together.
public actor ClusteredStores<State: Codable & Sendable> {
    /// What the names of the stores begin with, before a slash.
    public nonisolated let name: String
    nonisolated let fingerprint: FeatureFingerprint
    nonisolated let node: ClusterNode
    private let initial: State
    private let idle: Duration
    private let options: ClusteredStoreOptions
    private let storeOptions: StoreOptions
    private let journal: @Sendable (_ name: String) async throws -> any Journal
    private let features: @Sendable () -> [any Part<State>]

    private struct Opened: Sendable {
        let store: ClusteredStore<State>
        let journal: any Journal
    }

    private struct Place {
        let opening: Task<Opened, any Error>
        var users = 0
        /// When it was needed last.
        var used: Duration
    }

    private var places: [String: Place] = [:]
    /// The stores that are being closed, before which they aren't opened again.
    private var closing: [String: Task<Void, Never>] = [:]
    private let mustTick = Guarded(false)
    private var isOver = false

    /// Stores that nobody needs yet.
    ///
    /// - Parameters:
    ///   - initial: The state before the first entry; the same on every node.
    ///   - name: Names the kind in the cluster, without a slash. No other one of the node has it.
    ///   - node: This node.
    ///   - idle: A store that nobody has needed for so long is closed.
    ///   - options: How the logs are written and read.
    ///   - storeOptions: Those of the replicas.
    ///   - journal: Opens the log of a store, which all nodes reach, by the store's name within its kind. It is closed
    ///     with the store.
    ///   - features: Those of each store; made several times.
    public init(
        of initial: State, named name: String, on node: ClusterNode,
        idle: Duration = .seconds(60), options: ClusteredStoreOptions = ClusteredStoreOptions(),
        storeOptions: StoreOptions = StoreOptions(),
        journal: @escaping @Sendable (_ name: String) async throws -> any Journal,
        @FeatureBuilder<State> features: @escaping @Sendable () -> [any Part<State>]
    ) {
        precondition(
            !name.contains("/"),
            "The name \"\(name)\" has a slash, behind which a store's own name stands. To fix this, leave it out."
        )
        self.name = name
        self.node = node
        self.initial = initial
        self.idle = idle
        self.options = options
        self.storeOptions = storeOptions
        self.journal = journal
        self.features = features
        fingerprint =
            StoreFeatures(initial, options, storeOptions, features, late: { _ in }).fingerprint
        node.add(self)
    }

    // MARK: Opening

    /// Opens a store, or hands out the one that is open; to be given back by ``close(_:)``.
    ///
    /// It shows the state before the first entry until it has read its log: see ``ClusteredStoreStatus/hasCaughtUp``.
    ///
    /// - Throws: What opening its journal throws; `CancellationError` once the node has ended.
    public func open(_ name: String) async throws -> ClusteredStore<State> {
        if isOver { throw CancellationError() }
        let opening = place(name).opening
        places[name]?.users += 1
        do {
            return try await opening.value.store
        } catch {
            if places[name]?.opening == opening { places[name] = nil }
            throw error
        }
    }

    /// Gives a store back that isn't needed any more.
    public func close(_ name: String) {
        guard let users = places[name]?.users, users > 0 else { return }
        places[name]?.users = users - 1
        places[name]?.used = node.surroundings.now
    }

    /// A store of this kind that is only looked at: in memory, and on no other node.
    public nonisolated func preview() -> Store<State> {
        Store(initial, options: storeOptions, features)
    }

    private func place(_ name: String) -> Place {
        let now = node.surroundings.now
        var place = places[name] ?? Place(opening: opening(name), used: now)
        place.used = now
        places[name] = place
        return place
    }

    private func opening(_ name: String) -> Task<Opened, any Error> {
        let former = closing[name]
        return Task {
            await former?.value
            let journal = try await journal(name)
            func open(_ journal: some Journal) -> ClusteredStore<State> {
                ClusteredStore(
                    of: initial, named: "\(self.name)/\(name)", in: journal, on: node,
                    options: options, storeOptions: storeOptions, features)
            }
            return Opened(store: open(journal), journal: journal)
        }
    }

    private func open(_ name: String, for message: Message, from sender: NodeID) async {
        guard !isOver, let opened = try? await place(name).opening.value else { return }
        await opened.store.ownMember.receive(message, from: sender)
    }

    // MARK: Closing

    /// Closes what nobody needs.
    private func tick() async {
        mustTick.withValue { $0 = false }
        let now = node.surroundings.now
        for (name, place) in places where place.users == 0 && now - place.used >= idle {
            guard let opened = try? await place.opening.value else {
                places[name] = nil
                continue
            }
            // What came meanwhile is a use.
            let status = opened.store.status
            if status.waiting == 0, status.unended == 0, places[name]?.users == 0,
                places[name]?.used == place.used
            {
                end(name, opened)
            }
        }
    }

    private func end(_ name: String, _ opened: Opened) {
        places[name] = nil
        closing[name] = Task {
            await opened.store.close()
            node.remove(opened.store.ownMember)
            await opened.journal.close()
            closing[name] = nil
        }
    }

    func stop() async {
        isOver = true
        for (name, place) in places {
            if let opened = try? await place.opening.value { end(name, opened) }
        }
        for task in closing.values { await task.value }
    }
}

extension ClusteredStores: StoreFamily {
    nonisolated func tickSoon() {
        let begins = mustTick.withValue { mustTick in
            defer { mustTick = true }
            return !mustTick
        }
        if begins { Task { await tick() } }
    }

    nonisolated func openSoon(_ name: String, for message: Message, from sender: NodeID) {
        Task { await open(String(name.dropFirst(self.name.count + 1)), for: message, from: sender) }
    }
}
