// SPDX-License-Identifier: MIT

/// Whether the slice of a store is there: the slice may be optional, or a row.
struct Presence: Sendable {
    /// Whether the slice is there now.
    let isPresent: Getter<Bool>
    /// Whether the store shows the slice itself, and keeps showing its last value when it is gone.
    let isUnwrapped: Bool
    private let subscribe: @Sendable (Engine, Subscriber) -> Subscription

    init<Slice>(of slice: Getter<Slice?>, isUnwrapped: Bool, row: RowSource<Slice?>?) {
        self.init(of: slice, isUnwrapped: isUnwrapped, row: row) { $0 != nil }
    }

    /// That of a slice whose type may be optional; nil where it isn't, and so always there.
    init?<Slice>(ofOptional slice: Getter<Slice>, row: RowSource<Slice>?) {
        guard Slice.self is any Absence.Type else { return nil }
        self.init(of: slice, isUnwrapped: false, row: row) {
            ($0 as? any Absence)?.isAbsent == false
        }
    }

    private init<Slice>(
        of slice: Getter<Slice>, isUnwrapped: Bool, row: RowSource<Slice>?,
        _ isThere: @escaping @Sendable (Slice) -> Bool
    ) {
        let isPresent = slice.selecting(
            as: slice.stableSource.map { .presence($0) }, isThere)
        let isSame: Change.IsSame = { $0.load(as: Bool.self) == $1.load(as: Bool.self) }
        self.isPresent = isPresent
        self.isUnwrapped = isUnwrapped
        subscribe = { engine, subscriber in
            let options = Listening(initially: true, actor: nil, here: nil)
            if let row { return row.subscribe(isThere, isSame: isSame, options, subscriber) }
            return engine.subscribe(
                to: AnyGetter(isPresent), of: nil, at: nil,
                key: isPresent.source.map { GroupKey(source: $0, kind: .changes) },
                isSame: isSame, options, subscriber)
        }
    }

    /// Calls `body` when a slice goes that was there at some time since `wasPresent` was read.
    ///
    /// Subscribers that came before are notified of that commit before `body` is called.
    func atEnd(
        in engine: Engine, wasPresent: Bool, _ body: @escaping @Sendable () -> Void
    ) -> Subscription {
        let mayBeGone = wasPresent || isUnwrapped
        let subscriber = PointerSubscriber { old, new in
            let wasPresent = mayBeGone || old.load(as: Bool.self)
            if wasPresent && !new.load(as: Bool.self) { body() }
        }
        return subscribe(engine, subscriber)
    }
}
