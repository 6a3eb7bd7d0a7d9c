// SPDX-License-Identifier: MIT

extension Engine {
    /// Registers a subscriber of what a closure of its own derives from a slice.
    ///
    /// The first value is derived before, outside the lock. If something was committed meanwhile, the state at
    /// the moment of registering is kept, and what is notified first is derived from that.
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
        let firstCall = withLock { [first] locked -> FirstCall? in
            let group = derivedGroup(with: subscriber, of: slice, key: key, isSame: isSame, locked)
            let isLate = root.version != locked.state.version
            let newer = isLate ? rootCopy(isDelivery: false, locked) : nil
            // Before it joins, its closure belongs to this thread.
            let derivation = isLate && options.initially ? subscriber.copyDerivation() : nil
            register(subscriber, in: group, options, locked)
            group.add(subscriber, seenIn: newer, locked)
            guard let first else { return nil }
            return announce(firstOf: subscriber, locked) {
                guard let newer, let derivation else { return first }
                return newer.withPointer { derivation($0 + slice.lowerBound) }
            }
        }
        if let firstCall { make(firstCall, from: options.here) }
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
