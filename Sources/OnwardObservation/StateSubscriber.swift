// SPDX-License-Identifier: MIT

public import OnwardCore

/// An object that a store notifies of a value, without keeping the object alive.
///
/// For code that subscribes with objects instead of closures, such as view controllers:
/// `subscribe(to: .path(\.game.moves), of: store)`. When the object goes away, so does its
/// subscription.
///
/// An object on the main actor declares this in its conformance, and is notified there:
///
/// ```swift
/// @MainActor final class Screen: @MainActor StateSubscriber {
///     func newState(_ moves: Int) { label.text = "\(moves)" }
/// }
/// ```
///
/// If the compiler infers this (`InferIsolatedConformances`, as in modules that are on the main
/// actor by default), `class Screen: StateSubscriber` is enough. An object that is `Sendable` by
/// itself is notified on the delivering thread.
public protocol StateSubscriber<Value>: AnyObject {
    /// The type of the values it is notified of.
    associatedtype Value: Sendable

    /// Receives a new value.
    func newState(_ state: Value)
}

extension StateSubscriber {
    /// Subscribes the object: a store notifies it of the current value at once, and of changes as
    /// long as it lives, on the delivering thread.
    ///
    /// The object is held weakly; when it goes away, its subscription is dropped by the next call
    /// that would have reached it, or when about as many objects have subscribed as there are. An
    /// object may unsubscribe in its `deinit`. Subscribing again replaces the subscription.
    ///
    /// - Complexity: O(1) on average.
    public func subscribe<State>(
        to selection: Selection<State, Value>, of store: Store<State>, file: String = #fileID,
        line: Int = #line
    ) where Self: Sendable {
        store.subscribe(self) { registration, objects in
            store.subscribe(selection, initially: true, file: file, line: line) {
                [weak self, weak objects] _, new in
                guard let self else {
                    objects?.remove(registration)
                    return
                }
                newState(new)
            }
        }
    }

    /// Subscribes an object on the main actor, where a store notifies it of the current value at
    /// once, and of changes as long as it lives.
    ///
    /// Use it for objects whose conformance is isolated to the main actor, and for those that can't
    /// be shared. They are held like other objects.
    ///
    /// - Complexity: O(1) on average.
    @MainActor
    public func subscribe<State>(
        to selection: Selection<State, Value>, of store: Store<State>, file: String = #fileID,
        line: Int = #line
    ) {
        store.subscribe(self) { registration, objects in
            store.subscribe(selection, initially: true, file: file, line: line) {
                @MainActor [weak self, weak objects] _, new in
                guard let self else {
                    objects?.remove(registration)
                    return
                }
                newState(new)
            }
        }
    }
}

extension Store {
    /// Ends the subscription of an object, even in its `deinit`; does nothing if it has none.
    public func unsubscribe(_ subscriber: AnyObject) {
        engine.attached(ObjectSubscriptions.self).remove(ObjectIdentifier(subscriber))
    }

    /// Subscribes for an object, in place of its last subscription.
    fileprivate func subscribe(
        _ subscriber: AnyObject,
        _ subscribe: (ObjectSubscriptions.ObjectRegistration, ObjectSubscriptions) -> Subscription
    ) {
        let objects = engine.attached(ObjectSubscriptions.self)
        let registration = objects.reserve(for: subscriber)
        objects.keep(subscribe(registration, objects), at: registration)
    }
}

/// The subscriptions of objects that are held weakly.
///
/// Code that loads a weak reference may end up with the last strong one, and an object unsubscribes
/// as it dies. So the table is never locked where one is loaded.
final class ObjectSubscriptions: Attachment {
    /// One subscription of an object, distinguished by identity from an earlier one of the same
    /// object.
    final class ObjectRegistration: Sendable {
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
        let registration: ObjectRegistration
        /// Nil while the object gets its first value.
        var token: Subscription?
    }

    private struct Table {
        static let fewest = 64

        var entries: [ObjectIdentifier: Entry] = [:]
        /// How many there may be before those of objects that are gone are looked for.
        var room = fewest

        mutating func remove(_ registration: ObjectRegistration) -> Entry? {
            guard entries[registration.id]?.registration === registration else { return nil }
            return entries.removeValue(forKey: registration.id)
        }
    }

    private let table = Guarded(Table())

    init(in engine: Engine, _ locked: borrowing Locked) {}

    /// How many there are, including those of objects whose end was not noticed yet.
    var count: Int { table.withValue(\.entries.count) }

    /// Makes room for a subscription of an object in place of its last one.
    ///
    /// - Complexity: O(1) on average: what is gone is looked for when there are twice as many
    ///   subscriptions as were left the last time.
    func reserve(for object: AnyObject) -> ObjectRegistration {
        let registration = ObjectRegistration(object)
        let (last, isFull) = table.withValue { table in
            let last = table.entries.updateValue(
                Entry(registration: registration), forKey: registration.id)
            return (last, table.entries.count > table.room)
        }
        last?.token?.cancel()
        if isFull { removeGone() }
        return registration
    }

    /// Keeps a token, unless the object unsubscribed or subscribed again while it got its first
    /// value.
    func keep(_ token: Subscription, at registration: ObjectRegistration) {
        let isLate = table.withValue { table in
            guard table.entries[registration.id]?.registration === registration else { return true }
            table.entries[registration.id]?.token = token
            return false
        }
        if isLate { token.cancel() }
    }

    /// Ends the subscription of an object that is gone.
    func remove(_ registration: ObjectRegistration) {
        let entry = table.withValue { $0.remove(registration) }
        entry?.token?.cancel()
    }

    /// Ends the subscription that an object has now.
    func remove(_ id: ObjectIdentifier) {
        let entry = table.withValue { $0.entries.removeValue(forKey: id) }
        entry?.token?.cancel()
    }

    func end(in engine: Engine) {
        let all = table.withValue { table in
            defer { table.entries = [:] }
            return table.entries
        }
        for entry in all.values { entry.token?.cancel() }
    }

    private func removeGone() {
        let registrations = table.withValue { $0.entries.values.map(\.registration) }
        let gone = registrations.filter { $0.object == nil }
        let rest = table.withValue { table in
            defer { table.room = max(2 * table.entries.count, Table.fewest) }
            return gone.compactMap { table.remove($0) }
        }
        for entry in rest { entry.token?.cancel() }
    }
}
