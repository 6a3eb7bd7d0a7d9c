// SPDX-License-Identifier: MIT

internal import OnwardCore

/// What stands for the ids of effects and for the addresses of rows in a table: texts, and for each value of another type
/// one object.
///
/// The table looks names up under a lock, where `==` and `hash` of the app's types must not run. So they run here, and
/// there objects are compared by identity.
final class EffectNames: Sendable {
    /// Lives as long as an effect is called by it.
    final class Name: Sendable, Hashable {
        private let named: Guarded<any Hashable & Sendable>

        init(_ value: any Hashable & Sendable) { named = Guarded(value) }

        var value: any Hashable & Sendable { named.withValue { $0 } }

        /// Stands for something else from here on; returns what it stood for.
        fileprivate func exchange(_ new: any Hashable & Sendable) -> any Hashable & Sendable {
            named.withValue { value in
                defer { value = new }
                return value
            }
        }

        static func == (left: Name, right: Name) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    private struct Weak: Sendable {
        weak let name: Name?
    }

    private struct State {
        /// By the hash of their value.
        var names: [Int: [Weak]] = [:]
        /// How often they changed.
        var revision: UInt64 = 0
        /// At how many of them those that are gone are removed.
        var limit = 64
    }

    private let state = Guarded(State())

    /// What stands for an id, the same for the same id as long as an effect is called by it.
    func name(of id: EffectID) -> EffectName {
        if let text = id.value as? String { return .text(text) }
        return .value(object(for: id.value))
    }

    /// What stands for the instance at an address, in the same way.
    func instance(at address: Address) -> EffectInstance {
        for case .row in address.components { return .row(object(for: address)) }
        return .plain(address)
    }

    /// Has what stood for an address stand for another one.
    func rename(_ name: Name, to address: Address) {
        let hash = AnyHashable(address).hashValue
        let old = AnyHashable(name.exchange(address)).hashValue
        state.withValue { state in
            state.revision += 1
            state.names[old]?.removeAll { $0.name === name }
            // Before one that another instance had there.
            state.names[hash, default: []].insert(Weak(name: name), at: 0)
        }
    }

    private func object(for named: any Hashable & Sendable) -> Name {
        let value = AnyHashable(named)
        let hash = value.hashValue
        while true {
            let (known, revision) = state.withValue { state in
                (state.names[hash]?.compactMap(\.name) ?? [], state.revision)
            }
            if let name = known.first(where: { AnyHashable($0.value) == value }) {
                return name
            }
            let new = Name(named)
            let isAdded = change(since: revision) { state in
                state.names[hash] = (known + [new]).map { Weak(name: $0) }
            }
            guard isAdded else { continue }
            removeGone()
            return new
        }
    }

    private func removeGone() {
        let (names, revision) = state.withValue { state in
            (state.names.count > state.limit ? state.names : nil, state.revision)
        }
        guard let names else { return }
        let left = names.filter { $0.value.contains { $0.name != nil } }
        _ = change(since: revision) { state in
            state.names = left
            state.limit = max(64, left.count * 2)
        }
    }

    /// Changes the names unless another thread has; so what was computed outside the lock is still right.
    private func change(since revision: UInt64, _ body: (inout State) -> Void) -> Bool {
        state.withValue { state in
            guard state.revision == revision else { return false }
            state.revision += 1
            body(&state)
            return true
        }
    }
}
