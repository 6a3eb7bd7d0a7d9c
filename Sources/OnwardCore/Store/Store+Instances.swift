// SPDX-License-Identifier: MIT

extension Engine {
    /// The nearest instance around an address, or there, that can be dismissed; nil where none can.
    package func presented(around address: Address) -> Address? {
        let features = whole { $0.state.features }
        guard let route = features.route(for: PresentationAction.self) else { return nil }
        var steps = address.components.filter { $0 != .alone }
        while !steps.isEmpty {
            let instance = Address(steps + [.alone])
            if route.handles(instance) { return instance }
            steps.removeLast()
        }
        return nil
    }

    /// A store of the instance of a feature at an address, which keeps nothing alive; nil when there is none now.
    ///
    /// When the instance goes, it keeps showing what was last read through it, and its subscribers are not
    /// notified any more.
    package func store<Slice: Sendable>(at lens: SliceLens, _ address: Address) -> Store<Slice>? {
        guard lens.finder != nil else {
            return Store(
                engine: self, getter: Getter(range: lens.range, derive: nil), address: address,
                lifetime: nil)
        }
        let first: Slice? = whole { lens.value(of: address, in: $0.root, as: Slice.self) }
        guard let last = first.map(LastKnownValue.init) else { return nil }
        let getter = Getter<Slice>(
            range: lens.range,
            derive: { last.take(lens.value(of: address, in: $0, as: Slice.self)) },
            isThere: { lens.contains(address, in: $0) })
        return Store(engine: self, getter: getter, address: address, lifetime: nil)
    }
}
