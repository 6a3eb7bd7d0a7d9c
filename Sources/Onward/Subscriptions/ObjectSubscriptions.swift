// SPDX-License-Identifier: MIT

/// The subscriptions of objects that are held weakly.
final class ObjectSubscriptions: Sendable {
    private struct Entry: Sendable {
        weak var object: (any AnyObject & Sendable)?
        let token: Subscription
    }

    private let entries = Guarded<[ObjectIdentifier: Entry]>([:])

    /// How many there are, also of objects that are gone and were not noticed yet.
    var count: Int { entries.withValue(\.count) }

    /// Keeps the token of an object in place of its last one, and drops those of objects that went.
    func keep(_ token: Subscription, of object: any AnyObject & Sendable, _ id: ObjectIdentifier) {
        removeGone(adding: (id, Entry(object: object, token: token)))
    }

    /// Drops what belongs to objects that went.
    func removeGone() { removeGone(adding: nil) }

    func remove(_ id: ObjectIdentifier) {
        let entry = entries.withValue { $0.removeValue(forKey: id) }
        entry?.token.cancel()
    }

    func removeAll() {
        let all = entries.withValue { entries in
            defer { entries = [:] }
            return entries
        }
        for entry in all.values { entry.token.cancel() }
    }

    // Tokens are cancelled outside the lock, as that takes the engine's.
    private func removeGone(adding new: (id: ObjectIdentifier, entry: Entry)?) {
        let dropped = entries.withValue { entries in
            var dropped = entries.values.filter { $0.object == nil }
            entries = entries.filter { $0.value.object != nil }
            if let new {
                if let last = entries.updateValue(new.entry, forKey: new.id) {
                    dropped.append(last)
                }
            }
            return dropped
        }
        for entry in dropped { entry.token.cancel() }
    }
}
