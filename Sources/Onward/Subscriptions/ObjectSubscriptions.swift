// SPDX-License-Identifier: MIT

/// The subscriptions of objects that are held weakly.
final class ObjectSubscriptions: Sendable {
    private struct Entry: Sendable {
        weak var object: (any AnyObject & Sendable)?
        /// Tells a subscription from an earlier one of the same object.
        let number: UInt64
        /// Nil while the object gets its first value.
        var token: Subscription?
    }

    private struct Table {
        var entries: [ObjectIdentifier: Entry] = [:]
        var lastNumber: UInt64 = 0
    }

    /// Where the token of an object belongs.
    struct Place: Sendable {
        fileprivate let id: ObjectIdentifier
        fileprivate let number: UInt64
    }

    private let table = Guarded(Table())

    /// How many there are, also of objects that are gone and were not noticed yet.
    var count: Int { table.withValue(\.entries.count) }

    /// Makes room for a subscription of an object in place of its last one.
    func reserve(for object: any AnyObject & Sendable) -> Place {
        removeGone()
        let id = ObjectIdentifier(object)
        let (number, last) = table.withValue { table in
            table.lastNumber += 1
            let entry = Entry(object: object, number: table.lastNumber, token: nil)
            return (table.lastNumber, table.entries.updateValue(entry, forKey: id))
        }
        last?.token?.cancel()
        return Place(id: id, number: number)
    }

    /// Keeps a token, unless the object unsubscribed or subscribed again while it got its first
    /// value.
    func keep(_ token: Subscription, at place: Place) {
        let isLate = table.withValue { table in
            guard table.entries[place.id]?.number == place.number else { return true }
            table.entries[place.id]?.token = token
            return false
        }
        if isLate { token.cancel() }
    }

    /// Drops what belongs to objects that went.
    func removeGone() {
        // Tokens are cancelled outside the lock, as that takes the engine's.
        let gone = table.withValue { table in
            let gone = table.entries.filter { $0.value.object == nil }
            for id in gone.keys { table.entries[id] = nil }
            return gone
        }
        for entry in gone.values { entry.token?.cancel() }
    }

    func remove(_ id: ObjectIdentifier) {
        let entry = table.withValue { $0.entries.removeValue(forKey: id) }
        entry?.token?.cancel()
    }

    func removeAll() {
        let all = table.withValue { table in
            defer { table.entries = [:] }
            return table.entries
        }
        for entry in all.values { entry.token?.cancel() }
    }
}
