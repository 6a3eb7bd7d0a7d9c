// SPDX-License-Identifier: MIT

public import EntityTables

/// The watched rows of one table, without its type.
///
/// What it can do are closures that were made where the type of the rows was known, so that the work
/// per commit is compiled for it; a generic class's own methods would look up metadata at every step.
@usableFromInline
package class AnyRowChangeDetector: @unchecked Sendable {  // As `RowChangeDetector` says.
    /// Notes the rows that were touched in a newer table, and those of arrivals.
    @usableFromInline final let look:
        @Sendable (UnsafeRawPointer, RowArrivals?, borrowing Locked) -> Void
    /// Finds the noted rows that differ from what their subscribers know; false when there is nothing to
    /// notify.
    @usableFromInline final let compare: @Sendable () -> Bool
    /// Calls the closure with those that have to be notified of the noted rows.
    @usableFromInline final let forEachNotification:
        @Sendable (LockedStorage, (Subscriber, Change) -> Void) -> Void
    /// Forgets the noted rows.
    @usableFromInline final let settle: @Sendable () -> Void
    /// Stops watching a row for one subscriber.
    @usableFromInline final let remove: @Sendable (Subscriber, borrowing Locked) -> Void
    /// Releases what a subscriber that has left knew; outside the lock.
    @usableFromInline final let forget: @Sendable (Subscriber) -> Void

    @usableFromInline
    init(
        look: @escaping @Sendable (UnsafeRawPointer, RowArrivals?, borrowing Locked) -> Void,
        compare: @escaping @Sendable () -> Bool,
        forEachNotification:
            @escaping @Sendable (LockedStorage, (Subscriber, Change) -> Void) -> Void,
        settle: @escaping @Sendable () -> Void,
        remove: @escaping @Sendable (Subscriber, borrowing Locked) -> Void,
        forget: @escaping @Sendable (Subscriber) -> Void
    ) {
        self.look = look
        self.compare = compare
        self.forEachNotification = forEachNotification
        self.settle = settle
        self.remove = remove
        self.forget = forget
    }

    /// All subscribers, in no order.
    func everyone(_ locked: borrowing Locked) -> [Subscriber] { [] }
}

/// The closures over a table's watched rows, made where the type of the rows is known.
@usableFromInline
final class TypedRowChangeDetector<Element: Identifiable & Sendable>: AnyRowChangeDetector,
    @unchecked Sendable
where Element.ID: Sendable {  // As `RowChangeDetector` says.
    @usableFromInline let detector: RowChangeDetector<Element>

    @inlinable @inline(__always)
    init(_ detector: RowChangeDetector<Element>) {
        self.detector = detector
        super.init(
            look: { table, arrivals, locked in
                detector.look(
                    at: table.assumingMemoryBound(to: Borrowed<EntityTable<Element>>.self),
                    arrivals, locked)
            },
            compare: { detector.compare() },
            forEachNotification: { detector.forEachNotification(of: $0, $1) },
            settle: { detector.settle() },
            remove: { detector.remove(unsafeDowncast($0, to: RowSubscriber<Element>.self), $1) },
            forget: { subscriber in
                let subscriber = unsafeDowncast(subscriber, to: RowSubscriber<Element>.self)
                subscriber.lastKnown = .absent(subscriber.lastKnown.id)
            })
    }

    override func everyone(_ locked: borrowing Locked) -> [Subscriber] {
        detector.firsts.values.flatMap { [$0] + RowChangeDetector.members(after: $0) }
    }
}

/// The watched rows of a table with rows of type `Element`.
///
/// The lists of subscribers belong to the store's lock, as the members of every group do; so the
/// ids of rows are hashed under it. The mark and the touched rows belong to the deliverer. To check that access
/// is exclusive, here, in `RowGroup` and in `RowSubscriber`, would take 2,206 instructions more than the 4,486
/// in which the subscriber of a row is notified.
@usableFromInline
final class RowChangeDetector<Element: Identifiable & Sendable>: @unchecked Sendable
where Element.ID: Sendable {
    @usableFromInline
    typealias Member = RowSubscriber<Element>

    /// A row that was touched, or of which an arrival knows another value than the others.
    @usableFromInline
    struct TouchedRow {
        /// Its first subscriber when this was found out, or the arrival.
        @usableFromInline let first: Member
        /// Whether it concerns `first` alone.
        @usableFromInline let isArrival: Bool
        /// What its subscribers know.
        @usableFromInline let lastKnown: Element?
        /// What they will know; from then on what they knew, to be released outside the lock.
        @usableFromInline var next: LastKnownRow<Element>
        /// What they have to be notified; nil if the row is the same.
        @usableFromInline var change: Change?

        @inlinable
        init(for first: Member, isArrival: Bool, next: LastKnownRow<Element>) {
            self.first = first
            self.isArrival = isArrival
            lastKnown = first.lastKnown.element
            self.next = next
        }
    }

    /// The first subscriber of each row.
    @usableFromInline @exclusivity(unchecked) var firsts: [Element.ID: Member] = [:]
    /// What the subscribers know of the table.
    @usableFromInline @exclusivity(unchecked) var mark: EntityMark
    @usableFromInline @exclusivity(unchecked) var touchedRows: [TouchedRow] = []
    /// The first of the arrivals that are delivered as well; belongs to the deliverer.
    @usableFromInline @exclusivity(unchecked) var firstArrival: UInt64 = .max
    @usableFromInline let rowType = TypedValue<Element?>()
    /// The memory of rows that were notified; belongs to the deliverer.
    @usableFromInline @exclusivity(unchecked) var spares = SpareCopies()
    @usableFromInline let isSame: @Sendable (Element?, Element?) -> Bool

    @usableFromInline
    init(_ mark: EntityMark, isSame: @escaping @Sendable (Element?, Element?) -> Bool) {
        self.mark = mark
        self.isSame = isSame
    }

    /// Adds a subscriber of the row whose id it knows; with `isAhead`, one that knows the row as it is in
    /// this table, whatever the others know.
    @inlinable
    func add(
        _ member: Member, in table: UnsafePointer<Borrowed<EntityTable<Element>>>, isAhead: Bool,
        _ locked: borrowing Locked
    ) {
        let id = member.lastKnown.id
        // One look-up for both.
        let first = { (first: inout Member) in first }(&firsts[id, default: member])
        if first === member || isAhead {
            member.lastKnown = LastKnownRow(Self.row(id, in: table.pointee), id)
        }
        member.isArrival = isAhead
        if first !== member {
            first.previous?.next = member
            member.previous = first.previous
        }
        first.previous = member
    }

    /// Takes a subscriber out.
    @inlinable
    func remove(_ member: Member, _ locked: borrowing Locked) {
        guard let previous = member.previous else { return }
        let next = member.next
        member.next = nil
        member.previous = nil
        let id = member.lastKnown.id
        if previous === member {
            // It was alone.
            firsts.removeValue(forKey: id)
        } else if let first = firsts[id], first !== member {
            previous.next = next
            (next ?? first).previous = previous
        } else {
            // An arrival knows what it saw, and those after it are arrivals too.
            if let next, !next.isArrival { next.lastKnown = member.lastKnown }
            next?.previous = previous
            firsts[id] = next
        }
    }

    /// The subscribers of a row behind the first one, in their order, without arrivals.
    @inlinable
    static func members(after first: Member, before arrival: UInt64 = .max) -> [Subscriber] {
        var members: [Subscriber] = []
        var last = first
        while let next = last.next, next.order < arrival {
            members.append(next)
            last = next
        }
        return members
    }

    /// Notes the rows that were touched in a newer table, and those of arrivals.
    ///
    /// - Complexity: O(changes since the last table + arrivals); where its log does not reach back (a
    ///   new table was assigned, time was travelled), O(watched rows).
    @inlinable
    func look(
        at table: UnsafePointer<Borrowed<EntityTable<Element>>>, _ arrivals: RowArrivals?,
        _ locked: borrowing Locked
    ) {
        let isLogged = table.pointee.value.forEachTouched(since: mark) { id in
            note(firsts[id], in: table)
        }
        if !isLogged { for first in firsts.values { note(first, in: table) } }
        firstArrival = arrivals?.first ?? .max
        if let arrivals { noteArrivals(arrivals, in: table) }
        mark = table.pointee.value.mark
    }

    /// Notes a row by its first subscriber.
    ///
    /// Where that is an arrival there are only arrivals, which know their own: those of this delivery are
    /// noted apart, and later ones have seen more than it notifies.
    @inlinable
    func note(_ first: Member?, in table: UnsafePointer<Borrowed<EntityTable<Element>>>) {
        guard let first, !first.isArrival else { return }
        add(first, isArrival: false, in: table)
    }

    /// Notes what arrivals know; from now on they are subscribers like the others.
    @inlinable
    func noteArrivals(
        _ arrivals: RowArrivals, in table: UnsafePointer<Borrowed<EntityTable<Element>>>
    ) {
        for member in arrivals.members {
            // They came with an id of a row of this table.
            let member = unsafeDowncast(member, to: Member.self)
            guard member.previous != nil else { continue }
            member.isArrival = false
            add(member, isArrival: true, in: table)
        }
    }

    @inlinable
    func add(
        _ first: Member, isArrival: Bool, in table: UnsafePointer<Borrowed<EntityTable<Element>>>
    ) {
        let id = first.lastKnown.id
        let next = LastKnownRow(Self.row(id, in: table.pointee), id)
        touchedRows.append(TouchedRow(for: first, isArrival: isArrival, next: next))
    }

    /// Finds the noted rows that differ from what their subscribers know; false when there is nothing to
    /// notify.
    @inlinable
    func compare() -> Bool {
        var hasChanges = false
        for index in touchedRows.indices {
            let (old, new) = (touchedRows[index].lastKnown, touchedRows[index].next.element)
            if isSame(old, new) { continue }
            touchedRows[index].change = Change(from: copy(old), to: copy(new))
            hasChanges = true
        }
        if !hasChanges { settle() }
        return hasChanges
    }

    /// Calls `body` with those that have to be notified of the rows that differ, in their order.
    @inlinable
    func forEachNotification(of storage: LockedStorage, _ body: (Subscriber, Change) -> Void) {
        if touchedRows.count == 1 {
            let only = storage.withLockHere { notification(at: 0, $0) }
            only?.forEach(body)
        } else {
            let all = storage.withLockHere { locked in
                touchedRows.indices.compactMap { notification(at: $0, locked) }
            }
            PendingNotification.forEachMember(of: all, body)
        }
    }

    /// Those that have to be notified of a row, which they know from here on; nil when there are none.
    ///
    /// What was known is released with the touched rows, outside the lock.
    @inlinable
    func notification(at index: Int, _ locked: borrowing Locked) -> PendingNotification? {
        let (noted, change) = (touchedRows[index].first, touchedRows[index].change)
        if touchedRows[index].isArrival {
            guard noted.previous != nil else { return nil }
            // What it knows may have been passed on to it meanwhile, by a first one that left.
            swap(&noted.lastKnown, &touchedRows[index].next)
            return change.map { PendingNotification(of: $0, first: noted, others: []) }
        }
        guard let change else { return nil }
        // The one that was the first may have left meanwhile. It may also have come after the arrivals, when
        // this delivery waited: then it is not notified, yet it must know what those that follow are compared
        // with.
        let present = noted.previous == nil ? firsts[touchedRows[index].next.id] : noted
        guard let first = present, first === noted || !knowsItsOwn(first) else { return nil }
        swap(&first.lastKnown, &touchedRows[index].next)
        return PendingNotification(
            of: change, first: first, others: Self.members(after: first, before: firstArrival))
    }

    /// Whether a subscriber is an arrival, of this delivery or of a later one.
    @inlinable
    func knowsItsOwn(_ member: Member) -> Bool {
        if member.isArrival { return true }
        return member.order >= firstArrival
            && touchedRows.contains { $0.isArrival && $0.first === member }
    }

    /// Forgets what was noted.
    @inlinable
    func settle() {
        // Room for a few, as most commits need, is kept.
        let isFew = touchedRows.count <= 16
        while var row = touchedRows.popLast() {
            if let change = row.change.take() { spares.recycle(change) }
        }
        if !isFew { touchedRows = [] }
    }

    /// The row with an id.
    ///
    /// Not inlined, as only a call borrows the table from where it lies; a copy counts all that it consists of.
    @inlinable @inline(never)
    static func row(_ id: Element.ID, in table: borrowing Borrowed<EntityTable<Element>>)
        -> Element?
    {
        table.value[id: id]
    }

    @inlinable
    func copy(_ row: Element?) -> ValueCopy {
        withUnsafePointer(to: row) { spares.copy(UnsafeRawPointer($0), rowType) }
    }
}
