// SPDX-License-Identifier: MIT

internal import OnwardCore
internal import Synchronization

/// The selectors at work in a store.
///
/// It keeps alive only those that were read last: nodes belong to their users, and are found here.
///
/// Parameters of families are foreign code. They are hashed before the lock is taken and compared after
/// it is released: under it only hashes and identities are.
final class SelectorCache: Attachment {
    fileprivate struct WeakNode: Sendable {
        weak var node: AnySelectorNode?
        let id: ObjectIdentifier
    }

    fileprivate struct Table {
        /// The nodes by the hashes of their keys.
        var nodes: [Int: [WeakNode]] = [:]
        /// Those that were read last, the last one last.
        var read: [ReadNode] = []
        /// Where selectors are made anew for each read, as far as that was reported.
        var reported: Set<ActionOrigin> = []
    }

    /// A node that was read.
    fileprivate struct ReadNode: Sendable {
        let node: AnySelectorNode
        /// Of the selector with which it was read last.
        weak var life: SelectorLife?
    }

    let onProgrammerError: @Sendable (ProgrammerError) -> Void
    private let readLimit: Int
    private let isMeasuring = Atomic(false)
    private let table = Guarded(Table())

    convenience init(in engine: Engine, _ locked: borrowing Locked) {
        self.init(engine.options)
    }

    init(_ options: StoreOptions) {
        onProgrammerError = { options.report($0) }
        readLimit = options.limits.readSelectors
    }

    /// All nodes that are in use.
    var nodes: [AnySelectorNode] {
        table.withValue { $0.nodes.values.flatMap { $0 } }.compactMap(\.node)
    }

    /// Whether nodes that come are measured.
    var measuresAll: Bool { isMeasuring.load(ordering: .relaxed) }

    /// Has all evaluations measured from here on.
    func measure() {
        isMeasuring.store(true, ordering: .relaxed)
        for node in nodes { node.measure() }
    }

    /// The node with a key; nil when there is none.
    func find<Value>(_ key: SelectorKey) -> SelectorNode<Value>? {
        let hash = key.hashValue
        return node(for: key, among: table.withValue { $0.nodes[hash] ?? [] })
    }

    private func node<Value>(
        for key: SelectorKey, among candidates: [WeakNode]
    ) -> SelectorNode<Value>? {
        for candidate in candidates {
            if let node = candidate.node, node.key == key {
                // A key belongs to one selector, which has one type.
                return unsafeDowncast(node, to: SelectorNode.self)
            }
        }
        return nil
    }

    /// Adds a node, or returns the one that was added meanwhile.
    func add<Value>(_ node: SelectorNode<Value>) -> SelectorNode<Value> {
        let place = WeakNode(node: node, id: ObjectIdentifier(node))
        while true {
            let others = table.withValue { $0.nodes[node.hash] ?? [] }
            if let known: SelectorNode<Value> = self.node(for: node.key, among: others) {
                return known
            }
            let isAdded = table.withValue { table in
                // Another one may have come since the comparison.
                guard (table.nodes[node.hash] ?? []).elementsEqual(others, by: { $0.id == $1.id })
                else { return false }
                table.nodes[node.hash, default: []].append(place)
                return true
            }
            if isAdded { return node }
        }
    }

    /// Takes out a node that goes.
    func forget(_ node: AnySelectorNode) {
        let id = ObjectIdentifier(node)
        table.withValue { table in
            table.nodes[node.hash]?.removeAll { $0.id == id }
            if table.nodes[node.hash]?.isEmpty == true { table.nodes[node.hash] = nil }
        }
    }

    /// Keeps a node that was read, and releases the one that was not read for the longest time.
    func noteRead(_ node: AnySelectorNode, of life: SelectorLife) {
        let read = ReadNode(node: node, life: life)
        let (old, isMadeAnew) = table.withValue { table -> (ReadNode?, Bool) in
            if let last = table.read.last, last.node === node {
                table.read[table.read.count - 1] = read
                return (nil, false)
            }
            let place = table.read.firstIndex { $0.node === node }
            let isMadeAnew = place == nil && table.isMadeAnew(node)
            if let place { table.read.remove(at: place) }
            table.read.append(read)
            return (table.read.count > readLimit ? table.read.removeFirst() : nil, isMadeAnew)
        }
        withExtendedLifetime(old) {}
        if isMadeAnew { onProgrammerError(.selectorMadeAnew(node.origin)) }
    }

    /// Releases a node that was read, as its last subscriber has gone.
    func forgetRead(_ node: AnySelectorNode) {
        table.withValue { $0.read.removeAll { $0.node === node } }
    }

    /// Releases all that were read.
    func end(in engine: Engine) {
        let old = table.withValue { table in
            defer { table.read = [] }
            return table.read
        }
        withExtendedLifetime(old) {}
    }
}

extension Engine {
    /// The selectors at work here.
    var selectors: SelectorCache { attached(SelectorCache.self) }
}

extension SelectorCache.Table {
    /// Whether the third selector in a row that was made in one place is read once and never again;
    /// true once for each place.
    ///
    /// Members of a family are found again by their parameters, whoever has them.
    fileprivate mutating func isMadeAnew(_ node: AnySelectorNode) -> Bool {
        guard node.key.selector.parameter == nil else { return false }
        let gone = read.count { $0.life == nil && $0.node.origin == node.origin }
        return gone >= 2 && reported.insert(node.origin).inserted
    }
}

/// What the subscribers of a selector keep of it.
final class SelectorUse<Value: Sendable>: Sendable {
    let node: SelectorNode<Value>
    private let cache: SelectorCache

    init(_ node: SelectorNode<Value>, in cache: SelectorCache) {
        self.node = node
        self.cache = cache
    }

    deinit {
        cache.forgetRead(node)
    }
}
