// SPDX-License-Identifier: MIT

internal import DequeModule

/// A group whose members hear of a whole selected value.
///
/// Problem: one that subscribes while the others wait to hear of commits that are told as one has seen more
/// than they have, so that one change cannot be right for all.
///
/// Strategy: the group stays one, and notes behind which member the newcomers begin and which value
/// they saw. Members are in the order in which they came, so a delivery splits them there, tells each
/// part of its own change, and forgets the difference.
final class ValueGroup: SelectionGroup, @unchecked Sendable {
    /// Members that came at one version, while those before them waited.
    private struct Arrival {
        /// The last listener before them.
        let lastListener: UInt64
        let version: Version
        /// What they saw.
        let value: Captured
    }

    /// The arrivals that a delivery has to tell; apart, as there are none mostly.
    private final class Arrivals {
        var all: [Arrival] = []
        /// The last commit that may have changed the value.
        var held: Version = 0
        /// What each of them is told; nil where nothing changed for it.
        var changes: [Change?] = []
    }

    private struct Step {
        let captured: Captured
        let arrivals: Arrivals?
    }

    @exclusivity(unchecked) private var members = MemberList()
    @exclusivity(unchecked) private var waiting = Deque<Step>()
    /// Those that came since the group became dirty.
    @exclusivity(unchecked) private var arrivals: Arrivals?
    /// What is being delivered, and to whom.
    @exclusivity(unchecked) private var taken: Step?
    @exclusivity(unchecked) private var audience: [Subscriber?] = []
    /// The value that the members know; nil once the last of them left.
    @exclusivity(unchecked) private var last: Captured?
    /// What the delivery that is under way tells, and whom it tells something else.
    @exclusivity(unchecked) private var change: Change?
    @exclusivity(unchecked) private var split: Arrivals?

    init(_ selection: Selection, key: GroupKey?, first: Captured, isSame: Change.IsSame?) {
        last = first
        super.init(selection, key: key, isSame: isSame)
    }

    override var everyone: [Subscriber] { members.slots.compactMap(\.self) }
    override var isBehind: Bool { isDirty || !waiting.isEmpty }

    func add(_ member: Subscriber) {
        members.add(member)
        count += 1
    }

    /// Whether a newcomer has seen more than the others, and nobody came yet who saw the same.
    ///
    /// Under the lock.
    func isAhead(in version: Version) -> Bool {
        isDirty && arrivals?.all.last?.version != version
    }

    /// Notes what those saw who come next.
    ///
    /// Under the lock.
    func expect(_ value: Captured, in version: Version, after lastListener: UInt64) {
        let arrivals = arrivals ?? Arrivals()
        arrivals.all.append(
            Arrival(lastListener: lastListener, version: version, value: value))
        self.arrivals = arrivals
    }

    override func remove(_ member: Subscriber) -> Bool {
        members.remove(member)
        count -= 1
        return isEmpty
    }

    override func surrender() -> [Any?] {
        defer {
            waiting = []
            arrivals = nil
            last = nil
        }
        return super.surrender() + [waiting, arrivals, last]
    }

    override func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?, isDueNow: Bool) {
        guard let selection else { return }
        arrivals?.held = held
        let step = Step(captured: capture(selection, root, copy, isDueNow), arrivals: arrivals)
        arrivals = nil
        if isDueNow { take(step) } else { waiting.append(step) }
    }

    override func take() {
        guard let step = waiting.popFirst() else { return }
        take(step)
    }

    private func take(_ step: consuming Step) {
        isTaken = true
        taken = step
        audience = members.slots
    }

    override func advance(_ lock: borrowing Lock) -> Bool {
        guard let step = taken.take(), let last = last.take(), let selection else { return false }
        // First, as a later state may change what a value that is gone was.
        let old = selection.value(of: consume last)
        // Where there is no value, nothing is told.
        guard let new = selection.currentValue(of: step.captured, in: &spare) else {
            self.last = .value(old)
            return false
        }
        if let arrivals = step.arrivals { split(at: arrivals, selection, new) }
        if Change.isRepeat(from: old, to: new, by: isSame) {
            // What is not told does not count: the next change is one from what was told last. An equal
            // value is as good, and a new table is compared with a near one faster; but values that a
            // closure of the subscriber takes for the same may drift away step by step.
            self.last = .value(key == nil ? old : new)
            recycle(key == nil ? consume new : consume old)
            return split != nil
        }
        self.last = .value(new)
        change = Change(from: consume old, to: consume new)
        return true
    }

    /// Notes what is told to those who came when the others waited.
    private func split(at arrivals: Arrivals, _ selection: Selection, _ new: ValueCopy) {
        arrivals.changes = arrivals.all.map { arrival in
            if arrival.version >= arrivals.held { return nil }
            let change = Change(from: selection.value(of: arrival.value), to: new)
            return change.isRepeat(by: isSame) ? nil : change
        }
        split = arrivals
    }

    override func forEachAddressee(
        _ lock: borrowing Lock, _ body: (Subscriber, Change) -> Void
    ) {
        guard let split else {
            guard let change else { return }
            let audience = audience
            for index in audience.indices {
                // The list keeps it alive, so that no reference need be counted for each call.
                guard let member = audience[index].map(Unmanaged.passUnretained) else { continue }
                member._withUnsafeGuaranteedRef { body($0, change) }
            }
            return
        }
        var arrivals = zip(split.all, split.changes).makeIterator()
        var (change, next) = (change, arrivals.next())
        for case let member? in audience {
            while let (arrival, later) = next, member.order > arrival.lastListener {
                (change, next) = (later, arrivals.next())
            }
            if let change { body(member, change) }
        }
    }

    override func settle() {
        audience = []
        split = nil
        if let change = change.take() { recycle((consume change).oldValue()) }
    }
}
