// SPDX-License-Identifier: MIT

/// What a subscriber wants to receive of the states: a chain of selections and filters.
///
/// It is made by a store and refined in the closure given to `subscribe`; the closures run on the
/// thread that delivers, one at a time, after every action.
public final class Subscription<State> {
    /// Takes the value before, nil at first, and the new one.
    ///
    /// Pointers, as every link of the chain would otherwise copy both.
    @usableFromInline typealias Observer =
        (_ old: UnsafePointer<State>?, _ new: UnsafePointer<State>) -> Void

    /// Sets what takes the values that come out of this subscription.
    @usableFromInline let connect: (@escaping Observer) -> Void
    /// Whether the old value is always the one that came out last; it is not behind a filter.
    @usableFromInline let isGapless: Bool

    /// Receives what comes out of this subscription; for extensions that make filters of their own.
    ///
    /// ```swift
    /// extension Subscription {
    ///     func dropFirst() -> Subscription<State> {
    ///         Subscription { sink in
    ///             self.observer = { old, new in if old != nil { sink(old, new) } }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// There is one observer at a time: selections, filters and the store set their own. For a
    /// subscription made by a store, set it within the closure given to `subscribe`; later it is
    /// ignored.
    public var observer: ((State?, State) -> Void)? {
        didSet {
            connect { [observer] old, new in observer?(old?.pointee, new.pointee) }
        }
    }

    @inlinable
    init(isGapless: Bool, connecting connect: @escaping (@escaping Observer) -> Void) {
        self.isGapless = isGapless
        self.connect = connect
    }

    /// A subscription to values from elsewhere.
    ///
    /// - Parameter sink: Called at once with the closure that takes these values.
    public convenience init(sink: @escaping (@escaping (State?, State) -> Void) -> Void) {
        let relay = Relay<State>()
        sink { old, new in relay.take(old, new) }
        self.init(isGapless: false) { relay.observer = $0 }
    }

    /// A subscription to a part of the value, or to something made from it.
    ///
    /// The closure must be a pure function: it is called again for the old value only behind a
    /// filter; elsewhere its earlier result is kept.
    ///
    /// - Complexity: Calls the closure once per action; behind a filter, twice for each value that
    ///   passed.
    @inlinable
    public func select<Substate>(
        _ selector: @escaping (State) -> Substate
    ) -> Subscription<Substate> {
        guard isGapless else { return selectBehindFilter(selector) }
        return Subscription<Substate>(isGapless: true) { [connect] observe in
            let last = PreviousValue<Substate>()
            connect { old, new in
                var value = selector(new.pointee)
                last.withPointer { observe(old == nil ? nil : $0, &value) }
                last.value = value
            }
        }
    }

    @usableFromInline
    func selectBehindFilter<Substate>(
        _ selector: @escaping (State) -> Substate
    ) -> Subscription<Substate> {
        Subscription<Substate>(isGapless: false) { [connect] observe in
            connect { old, new in
                var value = selector(new.pointee)
                guard let old else { return observe(nil, &value) }
                var before = selector(old.pointee)
                observe(&before, &value)
            }
        }
    }

    /// A subscription to the value at a key path.
    @inlinable
    public func select<Substate>(_ keyPath: KeyPath<State, Substate>) -> Subscription<Substate> {
        select { $0[keyPath: keyPath] }
    }

    /// A subscription without the values that a closure considers repeats of the value before the
    /// action; the first value always passes.
    ///
    /// A skipped value is still the old value of the next one, so values that change a little at a
    /// time may all be skipped: compare what is shown instead, such as a rounded value.
    @inlinable
    public func skipRepeats(
        _ isRepeat: @escaping (_ oldState: State, _ newState: State) -> Bool
    ) -> Subscription<State> {
        Subscription(isGapless: false) { [connect] observe in
            connect { old, new in
                if let old, isRepeat(old.pointee, new.pointee) { return }
                observe(old, new)
            }
        }
    }

    /// A subscription without the values for which a closure returns true; the first one always
    /// passes.
    @inlinable
    public func skip(
        when: @escaping (_ oldState: State, _ newState: State) -> Bool
    ) -> Subscription<State> {
        skipRepeats(when)
    }

    /// A subscription to only the values for which a closure returns true; the first one always
    /// passes.
    @inlinable
    public func only(
        when: @escaping (_ oldState: State, _ newState: State) -> Bool
    ) -> Subscription<State> {
        skip { !when($0, $1) }
    }
}

extension Subscription where State: Equatable {
    /// A subscription without values that equal the previous one.
    @inlinable
    public func skipRepeats() -> Subscription<State> {
        Subscription(isGapless: false) { [connect] observe in
            connect { old, new in
                if let old, old.pointee == new.pointee { return }
                observe(old, new)
            }
        }
    }
}

/// What takes the values of a subscription that come from elsewhere.
private final class Relay<State> {
    var observer: Subscription<State>.Observer?

    func take(_ old: State?, _ new: State) {
        withUnsafePointer(to: new) { new in
            guard let old else { return observer?(nil, new) ?? () }
            withUnsafePointer(to: old) { observer?($0, new) }
        }
    }
}
