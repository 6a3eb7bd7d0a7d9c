// SPDX-License-Identifier: MIT

/// The subscriptions of objects that are held weakly.
///
/// Code that loads a weak reference may end up with the last strong one, and an object unsubscribes as
/// it dies. So the table is never locked where one is loaded.
final class ObjectSubscriptions: Sendable {
    /// One subscription of an object, distinguished by its identity from an earlier one of the same
    /// object.
    final class Seat: Sendable {
        // The reference is only asked whether it is nil. Where that takes the last strong one, the
        // object ends on the thread that asks, as it may on any.
        nonisolated(unsafe) fileprivate weak let object: AnyObject?
        fileprivate let id: ObjectIdentifier

        fileprivate init(_ object: AnyObject) {
            self.object = object
            id = ObjectIdentifier(object)
        }
    }

    private struct Entry: Sendable {
        let seat: Seat
        /// Nil while the object gets its first value.
        var token: Subscription?
    }

    private struct Table {
        static let fewest = 64

        var entries: [ObjectIdentifier: Entry] = [:]
        /// How many there may be before those of objects that are gone are looked for.
        var room = fewest

        mutating func remove(_ seat: Seat) -> Entry? {
            guard entries[seat.id]?.seat === seat else { return nil }
            return entries.removeValue(forKey: seat.id)
        }
    }

    private let table = Guarded(Table())

    /// How many there are, including those of objects whose end was not noticed yet.
    var count: Int { table.withValue(\.entries.count) }

    /// Makes room for a subscription of an object in place of its last one.
    ///
    /// - Complexity: O(1) on average: what is gone is looked for when there are twice as many
    ///   subscriptions as were left the last time.
    func reserve(for object: AnyObject) -> Seat {
        let seat = Seat(object)
        let (last, isFull) = table.withValue { table in
            let last = table.entries.updateValue(Entry(seat: seat), forKey: seat.id)
            return (last, table.entries.count > table.room)
        }
        last?.token?.cancel()
        if isFull { removeGone() }
        return seat
    }

    /// Keeps a token, unless the object unsubscribed or subscribed again while it got its first
    /// value.
    func keep(_ token: Subscription, at seat: Seat) {
        let isLate = table.withValue { table in
            guard table.entries[seat.id]?.seat === seat else { return true }
            table.entries[seat.id]?.token = token
            return false
        }
        if isLate { token.cancel() }
    }

    /// Ends the subscription of an object that is gone.
    func remove(_ seat: Seat) {
        let entry = table.withValue { $0.remove(seat) }
        entry?.token?.cancel()
    }

    /// Ends the subscription that an object has now.
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

    private func removeGone() {
        let seats = table.withValue { $0.entries.values.map(\.seat) }
        let gone = seats.filter { $0.object == nil }
        let rest = table.withValue { table in
            defer { table.room = max(2 * table.entries.count, Table.fewest) }
            return gone.compactMap { table.remove($0) }
        }
        for entry in rest { entry.token?.cancel() }
    }
}
