// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The selectors at work in a store.
///
/// It keeps alive only those that were read last: nodes belong to their users, and are found here.
final class SelectorCache: Attachment {
    private struct WeakNode: Sendable {
        weak var node: AnySelectorNode?
        /// Distinguishes a node that goes from one that took its place.
        let id: ObjectIdentifier
    }

    private struct Table {
        var nodes: [SelectorKey: WeakNode] = [:]
        /// Those that were read last, the last one last.
        var read: [AnySelectorNode] = []

        func node(for key: SelectorKey) -> AnySelectorNode? {
            // Not `nodes[key]?.node`: what 6.3 makes of that in a debug build loads a weak reference
            // that is not there.
            guard let place = nodes[key] else { return nil }
            return place.node
        }
    }

    let misuse: MisuseHandler
    private let readLimit: Int
    private let table = Guarded(Table())

    convenience init(in engine: Engine, _ locked: borrowing Locked) {
        self.init(engine.options)
    }

    init(_ options: StoreOptions) {
        misuse = options.misuse
        readLimit = options.limits.readSelectors
    }

    /// All nodes that are in use.
    var nodes: [AnySelectorNode] {
        table.withValue { $0.nodes.values.compactMap(\.node) }
    }

    /// The node with a key; nil when there is none.
    ///
    /// Parameters of families are hashed and compared under the lock.
    func find<Value>(_ key: SelectorKey) -> SelectorNode<Value>? {
        // A key belongs to one selector, which has one type.
        table.withValue { $0.node(for: key) }.map { unsafeDowncast($0, to: SelectorNode.self) }
    }

    /// Adds a node, or returns the one that was added meanwhile.
    func add<Value>(_ node: SelectorNode<Value>) -> SelectorNode<Value> {
        let known = table.withValue { table -> AnySelectorNode? in
            if let known = table.node(for: node.key) { return known }
            table.nodes[node.key] = WeakNode(node: node, id: ObjectIdentifier(node))
            return nil
        }
        return known.map { unsafeDowncast($0, to: SelectorNode.self) } ?? node
    }

    /// Takes out a node that goes.
    func forget(_ node: AnySelectorNode) {
        let id = ObjectIdentifier(node)
        let key = node.key
        let rest = table.withValue { table -> SelectorKey? in
            guard table.nodes[key]?.id == id else { return nil }
            return table.nodes.removeValue(forKey: key).map { _ in key }
        }
        withExtendedLifetime(rest) {}
    }

    /// Keeps a node that was read, and releases the one that was not read for the longest time.
    func noteRead(_ node: AnySelectorNode) {
        let old = table.withValue { table -> AnySelectorNode? in
            if table.read.last === node { return nil }
            table.read.removeAll { $0 === node }
            table.read.append(node)
            return table.read.count > readLimit ? table.read.removeFirst() : nil
        }
        withExtendedLifetime(old) {}
    }

    /// Releases a node that was read, as its last subscriber has gone.
    func forgetRead(_ node: AnySelectorNode) {
        table.withValue { $0.read.removeAll { $0 === node } }
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
