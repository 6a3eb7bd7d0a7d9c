// SPDX-License-Identifier: MIT

internal import OnwardCore

/// Which child the binding of a view showed first.
///
/// A new one is made wherever ``Store/subscript(presenting:name:file:line:shown:)`` is written, and so
/// with each binding; views don't make it themselves. When the binding says later that its child is
/// no longer shown, another child in its place stays.
public final class ShownChild: Hashable, Sendable {
    /// What is seen: nothing, or a child with an id, if it has one.
    enum Sight: Sendable, Equatable {
        case nothing
        case child(ID?)
    }

    /// The id of a child.
    struct ID: Equatable, @unchecked Sendable {  // Read only, and a part of a `Sendable` child.
        private let value: AnyHashable

        /// Nil if the child has no id.
        init?(of child: some Sendable) {
            func id(of child: some Identifiable) -> AnyHashable { AnyHashable(child.id) }
            guard let child = child as? any Identifiable else { return nil }
            value = id(of: child)
        }
    }

    private let seen = Guarded<Sight?>(nil)

    /// Notes nothing yet.
    public init() {}

    /// What was seen first since nothing was; nil if nothing was read.
    var first: Sight? { seen.withValue { $0 } }

    /// Notes what is read.
    ///
    /// Only the first child counts: to assign through a key path reads it once more.
    func note(_ sight: Sight) {
        var next: Sight? = sight
        // What it replaces is released outside the lock.
        seen.withValue { seen in
            if case .child = seen, case .child = sight { return }
            swap(&seen, &next)
        }
    }

    /// Whether both are one binding's.
    public static func == (left: ShownChild, right: ShownChild) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension ShownChild.Sight {
    init(of child: (some Sendable)?) {
        self = child.map { .child(ShownChild.ID(of: $0)) } ?? .nothing
    }
}

extension Selection {
    /// Which child an optional property holds.
    static func child<Child: Sendable>(
        at path: any KeyPath<State, Child?> & Sendable
    ) -> Selection where Value == ShownChild.Sight {
        let isSame = Store<State>.equal(ShownChild.Sight.self)
        let key: @Sendable (Store<State>) -> GroupKey? = { store in
            store.sharing(
                store.getter.source(of: path).map {
                    GroupKey(source: .derived(AnyHashable(ChildAt(place: $0))), kind: .changes)
                })
        }
        return Selection(isSame: isSame, key: key, read: { .init(of: $0.read(path)) }) {
            $0.subscribe(
                toWhat: { ShownChild.Sight(of: $0[keyPath: path]) }, key: key($0), isSame: isSame,
                $1, TypedSubscriber($2.call))
        }
    }
}

/// What distinguishes the selection of a child from all others.
private struct ChildAt: Hashable {
    let place: GroupKey.Source
}

/// What was read last where no binding was made: by `store[presenting: \.editor]` itself.
final class LastPresentations: Attachment {
    /// More places than an app has; rows that come and go make new ones.
    private static let limit = 256

    private let seen = Guarded<[String: ShownChild.Sight]>([:])

    init(in engine: Engine, _ locked: borrowing Locked) {}

    func end(in engine: Engine) {}

    func note(_ sight: ShownChild.Sight, at address: Address, _ path: AnyKeyPath) {
        let place = Self.place(address, path)
        // What is replaced is released outside the lock.
        let replaced = seen.withValue { seen in
            let all = seen.count >= Self.limit ? seen : [:]
            if !all.isEmpty { seen = [:] }
            return (all, seen.updateValue(sight, forKey: place))
        }
        withExtendedLifetime(replaced) {}
    }

    func last(at address: Address, _ path: AnyKeyPath) -> ShownChild.Sight? {
        let place = Self.place(address, path)
        return seen.withValue { $0[place] }
    }

    /// A text, as ids and key paths may run code of the app when they are compared.
    private static func place(_ address: Address, _ path: AnyKeyPath) -> String {
        "\(address) \(path)"
    }
}
