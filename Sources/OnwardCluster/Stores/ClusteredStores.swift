// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// Stores of one kind on many nodes, such as one per visitor: each node opens them on demand.
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
/// Every node of the cluster has the same kinds. A store that nobody needs is closed after a while.
/// Its log names its owner: a proposal of another node opens it there again. So a node may have
/// more stores open than it has asked for, at most as many as all nodes together.
public actor ClusteredStores<State: Codable & Sendable> {
    /// The prefix of the stores' names, before a slash.
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
        /// When it was last needed.
        var used: Duration
    }

    private var places: [String: Place] = [:]
    /// The stores that are being closed; they aren't reopened before that is done.
    private var closing: [String: Task<Void, Never>] = [:]
    private let mustTick = Guarded(false)
    private var isOver = false

    /// Creates a kind of stores, none of which is open yet.
    ///
    /// - Parameters:
    ///   - initial: The state before the first entry; the same on every node.
    ///   - name: Identifies the kind in the cluster, without a slash; must be unique on the node.
    ///   - node: This node.
    ///   - idle: How long a store that nobody needs stays open.
    ///   - options: How the logs are written and read.
    ///   - storeOptions: The options of the replicas.
    ///   - journal: Opens the log of a store, which all nodes can reach, by the store's name within
    ///     its kind. It is closed with the store.
    ///   - features: The features of each store; made several times.
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

    /// Opens a store, or returns the open one; give it back with ``close(_:)``.
    ///
    /// Until it has read its log, it shows the state before the first entry: see
    /// ``ClusteredStoreStatus/hasCaughtUp``.
    ///
    /// - Throws: Errors of opening its journal; `CancellationError` once the node has ended.
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

    /// Gives back a store that is no longer needed.
    public func close(_ name: String) {
        guard let users = places[name]?.users, users > 0 else { return }
        places[name]?.users = users - 1
        places[name]?.used = node.surroundings.now
    }

    /// Returns a store of this kind that is only for viewing: in memory, and on no other node.
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
            // What came in the meantime counts as a use.
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
