// SPDX-License-Identifier: MIT

extension Engine {
    /// Registers a subscriber of what a closure of its own derives from a slice.
    ///
    /// What was committed while the first value was derived is told as a change of it.
    @usableFromInline
    package func subscribe(
        _ subscriber: DerivedSubscriber, to slice: Range<Int>, key: GroupKey,
        isSame: @escaping Change.IsSame, _ options: Listening
    ) -> Subscription {
        if options.actor != nil, !isInsideReducer { sweepMailboxes() }
        guard let root = withLockUnlessReducing({ rootCopy(isDelivery: false, $0) }) else {
            return .refused(subscriber)
        }
        root.withPointer { subscriber.start(in: $0 + slice.lowerBound) }
        var first: ValueCopy?
        if options.initially {
            subscriber.withLast { first = ValueCopy(of: $0, subscriber.valueType()) }
        }
        var isLate = false
        var rest: Cause?
        let firstCall = withLock { [first] locked -> FirstCall? in
            let group = derivedGroup(with: subscriber, of: slice, key: key, isSame: isSame, locked)
            register(subscriber, in: group, options, locked)
            group.add(subscriber, locked)
            isLate = root.version != locked.state.version
            if isLate {
                let context = DeliveryContext(
                    version: locked.state.version, lastListener: locked.state.index.lastOrder)
                rest = enqueue(Delivery(context, groups: [group]), locked)
            }
            guard let first else { return nil }
            return announce(firstOf: subscriber, locked) { first }
        }
        withExtendedLifetime(rest) {}
        if let firstCall { make(firstCall, from: options.here) }
        if isLate { deliverWhatIsDue(on: options.here) }
        return Subscription(subscriber)
    }

    private func derivedGroup(
        with subscriber: DerivedSubscriber, of slice: Range<Int>, key: GroupKey,
        isSame: @escaping Change.IsSame, _ locked: borrowing Locked
    ) -> DerivedGroup {
        // The key says of which kind the group is.
        if let group = locked.state.index.group(for: key) {
            return unsafeDowncast(group, to: DerivedGroup.self)
        }
        let group = DerivedGroup(slice, of: subscriber.valueType(), key: key, isSame: isSame)
        add(group, locked)
        return group
    }
}
