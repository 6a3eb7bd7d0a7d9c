// SPDX-License-Identifier: MIT

public import EntityTables

/// The subscribers of single rows of one table.
///
/// Problem: with a subscriber per row, a commit must cost what it changed, not how many rows are
/// watched.
///
/// Strategy: between commits the group keeps only the table's mark, which holds no rows, so that the
/// next commit changes the table in place. A round asks the new table what changed since the
/// mark, and looks up the subscribers of these ids (`RowChangeDetector` does both; it knows the types). It looks at the
/// table where it lies in the state; only one that is computed is looked at outside the lock. Where the table does not
/// know what changed, all watched rows are compared with those of a copy, outside the lock.
final class RowGroup: SubscriberGroup, @unchecked Sendable {
    /// What the subscribing shell, which knows the types, keeps the rows in.
    let detector: AnyRowChangeDetector
    /// Whether some have come while the others did not know the present table.
    @exclusivity(unchecked) private var hasLate = false

    init(
        _ getter: AnyGetter, key: GroupKey?, _ detector: AnyRowChangeDetector,
        isSame: Change.IsSame?
    ) {
        self.detector = detector
        super.init(getter, key: key, isSame: isSame)
    }

    /// Counts a subscriber that the detector has got.
    func added(isLate: Bool, _ locked: borrowing Locked) {
        count += 1
        if isLate { (hasLate, hasLeftovers) = (true, true) }
    }

    override func remove(
        _ member: Subscriber, _ rest: inout [Any?], _ locked: borrowing Locked
    ) -> Bool {
        detector.remove(member, locked)
        count -= 1
        return isEmpty
    }

    override func everyone(_ locked: borrowing Locked) -> [Subscriber] {
        detector.everyone(locked)
    }

    override func finish(_ locked: borrowing Locked) -> [Any?] {
        if !isMarked { hasLate = false }
        return super.finish(locked) + detector.finish(knowsAll: !isMarked, locked)
    }

    override func take(_ root: UnsafeRawPointer, _ locked: borrowing Locked) {
        isTaken = true
        if hasLate {
            (hasLate, hasLeftovers) = (false, true)
            detector.takeLate(locked)
        }
        guard !needsRoot else { return }
        switch borrowedGetter {
        case .some(let getter): detector.look(getter.value.address(in: root), locked)
        case .none: return
        }
    }

    override func advance(in root: RootCopy?, of storage: LockedStorage) -> Bool {
        switch borrowedGetter {
        case .some(let getter):
            // Otherwise it was looked at where it lies.
            if needsRoot, let root {
                // The table itself goes after the lock.
                getter.value.value(of: .root(root)).withPointer { table in
                    storage.withLock { detector.look(table, $0) }
                }
            }
            return detector.compare(storage)
        case .none: return false
        }
    }

    override func notify(_ holder: inout TurnHolder, as context: DeliveryContext) {
        detector.forEachNotification(holder.storage) { holder.call($0, with: $1, context) }
    }

    override func settle() { detector.settle() }
}

/// The watched rows of one table, without its type.
///
/// What it can do are closures that were made where the type of the rows was known, so that the work
/// per commit is compiled for it; a generic class's own methods would look up metadata at every step.
@usableFromInline
package class AnyRowChangeDetector: @unchecked Sendable {  // As `RowChangeDetector` says.
    /// Notes the rows that were touched in a newer table.
    @usableFromInline final let look: @Sendable (UnsafeRawPointer, borrowing Locked) -> Void
    /// Finds the noted rows that differ from what their subscribers know; false when there is nothing to
    /// notify.
    @usableFromInline final let compare: @Sendable (LockedStorage) -> Bool
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
        look: @escaping @Sendable (UnsafeRawPointer, borrowing Locked) -> Void,
        compare: @escaping @Sendable (LockedStorage) -> Bool,
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

    /// Has those who came late be part of the round that begins.
    func takeLate(_ locked: borrowing Locked) {}

    /// Ends a round, and lets those join who came meanwhile if all know the same; returns what is to be released outside
    /// the lock.
    func finish(knowsAll: Bool, _ locked: borrowing Locked) -> [Any?] { [] }
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
            look: { table, locked in
                detector.look(
                    at: table.assumingMemoryBound(to: Borrowed<EntityTable<Element>>.self), locked)
            },
            compare: { detector.compare(in: $0) },
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
            + detector.late.values.map { $0 } + detector.coming.values.map { $0 }
    }

    override func takeLate(_ locked: borrowing Locked) {
        swap(&detector.coming, &detector.late)
    }

    override func finish(knowsAll: Bool, _ locked: borrowing Locked) -> [Any?] {
        detector.finish(knowsAll: knowsAll, locked)
    }
}

/// The watched rows of a table with rows of type `Element`.
///
/// The lists of subscribers belong to the store's lock, as the members of every group do; so the
/// ids of rows are hashed under it. The mark and the touched rows belong to the deliverer. That access is
/// exclusive follows from this; to check it at each use, here, in `RowGroup` and in `RowSubscriber`, would make notifying
/// the subscriber of a row half as slow again.
@usableFromInline
final class RowChangeDetector<Element: Identifiable & Sendable>: @unchecked Sendable
where Element.ID: Sendable {
    @usableFromInline
    typealias Member = RowSubscriber<Element>

    /// A row that was touched.
    @usableFromInline
    struct TouchedRow {
        /// Its first subscriber when this was found out.
        @usableFromInline let first: Member
        /// What its subscribers know.
        @usableFromInline let lastKnown: Element?
        /// What they will know; from then on what they knew, to be released outside the lock.
        @usableFromInline var next: LastKnownRow<Element>
        /// What they have to be notified of; nil if the row is the same.
        @usableFromInline var change: Change?

        @inlinable
        init(for first: Member, lastKnown: Element?, next: LastKnownRow<Element>) {
            self.first = first
            self.lastKnown = lastKnown
            self.next = next
        }
    }

    /// A table to be looked through outside the lock.
    @usableFromInline
    struct Unlogged {
        @usableFromInline let table: EntityTable<Element>
        @usableFromInline let firsts: [Element.ID: Member]

        @inlinable
        init(_ table: EntityTable<Element>, watchedBy firsts: [Element.ID: Member]) {
            self.table = table
            self.firsts = firsts
        }
    }

    /// The first subscriber of each row.
    @usableFromInline @exclusivity(unchecked) var firsts: [Element.ID: Member] = [:]
    /// What the subscribers know of the table.
    @usableFromInline @exclusivity(unchecked) var mark: EntityMark
    @usableFromInline @exclusivity(unchecked) var touchedRows: [TouchedRow] = []
    /// A table that does not know what changed since the mark, and those who watched its rows then; until all rows are
    /// compared.
    @usableFromInline @exclusivity(unchecked) var unlogged: Unlogged?
    /// Those who came while the others did not know the present table.
    @usableFromInline @exclusivity(unchecked) var late: [ObjectIdentifier: Member] = [:]
    /// Those of them who come with the round, until the table is looked at.
    @usableFromInline @exclusivity(unchecked) var coming: [ObjectIdentifier: Member] = [:]
    /// Those who have come with the round.
    @usableFromInline @exclusivity(unchecked) var joined: [Member] = []
    @usableFromInline let rowType = TypedValue<Element?>()
    /// The memory of rows that subscribers were notified of; belongs to the deliverer.
    @usableFromInline @exclusivity(unchecked) var spares = SpareCopies()
    @usableFromInline let isSame: @Sendable (Element?, Element?) -> Bool

    @usableFromInline
    init(_ mark: EntityMark, isSame: @escaping @Sendable (Element?, Element?) -> Bool) {
        self.mark = mark
        self.isSame = isSame
    }

    /// Adds a subscriber of the row whose id it knows.
    @inlinable
    func add(
        _ member: Member, in table: UnsafePointer<Borrowed<EntityTable<Element>>>,
        _ locked: borrowing Locked
    ) {
        let id = member.lastKnown.id
        // One look-up for both.
        let first = { (first: inout Member) in first }(&firsts[id, default: member])
        if first === member {
            member.lastKnown = LastKnownRow(Self.row(id, in: table.pointee), id)
        } else {
            first.previous?.next = member
            member.previous = first.previous
        }
        first.previous = member
    }

    /// Adds a subscriber whose row may be another one than the others know: it knows its row itself.
    ///
    /// The next round compares with that, and it joins the others.
    @inlinable
    func addLate(_ member: Member, _ locked: borrowing Locked) {
        member.isLate = true
        late[ObjectIdentifier(member)] = member
    }

    /// Has those who come with a round join the others, each noted with what it knows itself.
    @usableFromInline
    func joinComing(
        in table: UnsafePointer<Borrowed<EntityTable<Element>>>, _ locked: borrowing Locked
    ) {
        for member in coming.values.sorted(by: { $0.order < $1.order }) {
            note(member, in: table)
            let id = member.lastKnown.id
            // What it knows is kept by what was noted.
            if !join(member) { member.lastKnown = .absent(id) }
            joined.append(member)
        }
        coming = [:]
    }

    /// Puts a subscriber behind the others of its row; true if it is the first.
    private func join(_ member: Member) -> Bool {
        let first = { (first: inout Member) in first }(
            &firsts[member.lastKnown.id, default: member])
        if first !== member {
            first.previous?.next = member
            member.previous = first.previous
        }
        first.previous = member
        return first === member
    }

    /// Ends a round; those who came meanwhile join if all know the same.
    func finish(knowsAll: Bool, _ locked: borrowing Locked) -> [Any?] {
        var rest: [Any?] = [joined]
        for member in joined { member.isLate = false }
        joined = []
        guard knowsAll, !late.isEmpty else { return rest }
        let last = late.values.sorted { $0.order < $1.order }
        late = [:]
        for member in last {
            member.isLate = false
            let id = member.lastKnown.id
            guard !join(member) else { continue }
            rest.append(member.lastKnown)
            member.lastKnown = .absent(id)
        }
        return rest
    }

    /// Takes a subscriber out.
    ///
    /// Whatever ids the lists drop with it, it keeps: releasing them may run code of the app.
    @inlinable
    func remove(_ member: Member, _ locked: borrowing Locked) {
        guard let previous = member.previous else {
            late[ObjectIdentifier(member)] = nil
            coming[ObjectIdentifier(member)] = nil
            return
        }
        let next = member.next
        member.next = nil
        member.previous = nil
        let id = member.lastKnown.id
        if previous === member {
            // It was alone; the id that the list has may be that of one before it.
            if let index = firsts.index(forKey: id) {
                member.listedID = firsts.remove(at: index).key
            }
        } else if let first = firsts[id], first !== member {
            previous.next = next
            (next ?? first).previous = previous
        } else {
            if let next { swap(&next.lastKnown, &member.lastKnown) }
            next?.previous = previous
            firsts[id] = next
        }
    }

    /// The subscribers of a row behind the first one, in their order.
    @inlinable
    static func members(after first: Member) -> [Subscriber] {
        var members: [Subscriber] = []
        var last = first
        while let next = last.next {
            members.append(next)
            last = next
        }
        return members
    }

    /// Notes the rows that were touched in a newer table.
    ///
    /// - Complexity: O(changes since the last table); where its log does not reach back (a
    ///   new table was assigned, time was travelled), O(1), and O(watched rows) outside the lock.
    @inlinable
    func look(
        at table: UnsafePointer<Borrowed<EntityTable<Element>>>, _ locked: borrowing Locked
    ) {
        let isLogged = table.pointee.value.forEachTouched(since: mark) { id in
            note(firsts[id], in: table)
        }
        mark = table.pointee.value.mark
        if !coming.isEmpty { joinComing(in: table, locked) }
        if !isLogged { unlogged = Unlogged(table.pointee.value, watchedBy: firsts) }
    }

    /// Notes the rows that differ in a table that does not know what changed.
    ///
    /// What subscribers know belongs to the lock, which is taken for a few of them at a time.
    @inlinable @inline(never)
    func lookThrough(_ unlogged: Unlogged, in storage: LockedStorage) {
        var watched = unlogged.firsts.makeIterator()
        var isOver = false
        while !isOver {
            var few: [(first: Member, known: LastKnownRow<Element>)] = []
            few.reserveCapacity(64)
            storage.withLockHere { _ in
                for _ in 0..<64 {
                    guard let (id, noted) = watched.next() else {
                        isOver = true
                        return
                    }
                    // The one that was the first may have left meanwhile.
                    let present = noted.previous == nil ? firsts[id] : noted
                    // Who comes with the round is noted already.
                    guard let first = present, !first.isLate else { continue }
                    few.append((first, first.lastKnown))
                }
            }
            for (first, known) in few {
                let next = LastKnownRow(unlogged.table[id: known.id], known.id)
                if isSame(known.element, next.element) { continue }
                touchedRows.append(TouchedRow(for: first, lastKnown: known.element, next: next))
            }
        }
    }

    /// Notes a row by its first subscriber.
    @inlinable
    func note(_ first: Member?, in table: UnsafePointer<Borrowed<EntityTable<Element>>>) {
        guard let first else { return }
        let id = first.lastKnown.id
        let next = LastKnownRow(Self.row(id, in: table.pointee), id)
        touchedRows.append(
            TouchedRow(for: first, lastKnown: first.lastKnown.element, next: next))
    }

    /// Finds the noted rows that differ from what their subscribers know; false when there is nothing to
    /// notify.
    @inlinable
    func compare(in storage: LockedStorage) -> Bool {
        if let unlogged = unlogged.take() { lookThrough(unlogged, in: storage) }
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
        guard let change else { return nil }
        if !joined.isEmpty { return notificationAmongJoined(at: index, change, locked) }
        // The one that was the first may have left meanwhile.
        let present = noted.previous == nil ? firsts[touchedRows[index].next.id] : noted
        guard let first = present else { return nil }
        swap(&first.lastKnown, &touchedRows[index].next)
        return PendingNotification(of: change, first: first, others: Self.members(after: first))
    }

    /// The same where some have come with this round, who are notified for themselves.
    @usableFromInline
    func notificationAmongJoined(
        at index: Int, _ change: Change, _ locked: borrowing Locked
    ) -> PendingNotification? {
        let noted = touchedRows[index].first
        let id = touchedRows[index].next.id
        if noted.isLate {
            if firsts[id] === noted { swap(&noted.lastKnown, &touchedRows[index].next) }
            return PendingNotification(of: change, first: noted, others: [])
        }
        guard let first = firsts[id] else { return nil }
        swap(&first.lastKnown, &touchedRows[index].next)
        let members = ([first] + Self.members(after: first)).filter {
            !unsafeDowncast($0, to: Member.self).isLate
        }
        guard let earliest = members.first else { return nil }
        return PendingNotification(
            of: change, first: earliest, others: Array(members.dropFirst()))
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
