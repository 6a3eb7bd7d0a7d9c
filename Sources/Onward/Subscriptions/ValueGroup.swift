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

    /// Nil once the last member left.
    private var selection: Selection?
    @exclusivity(unchecked) private var members = MemberList()
    @exclusivity(unchecked) private var waiting = Deque<Step>()
    /// Those that came since the group became dirty.
    @exclusivity(unchecked) private var arrivals: Arrivals?
    @exclusivity(unchecked) private var taken: Step?
    /// The value that the members know; nil once the last of them left.
    @exclusivity(unchecked) private var last: Captured?
    /// What the delivery that is under way tells, and whom it tells something else.
    @exclusivity(unchecked) private var change: Change?
    @exclusivity(unchecked) private var split: Arrivals?

    init(_ selection: Selection, key: GroupKey?, first: Captured, isSame: Change.IsSame?) {
        self.selection = selection
        last = first
        super.init(ranges: selection.ranges, key: key, isSame: isSame)
    }

    override var needsRoot: Bool { selection?.needsRoot ?? false }
    override var isEmpty: Bool { members.count == 0 }
    override var everyone: [Subscriber] { members.slots.compactMap(\.self) }
    override var isBehind: Bool { isDirty || !waiting.isEmpty }

    func add(_ member: Subscriber) { members.add(member) }

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
        return isEmpty
    }

    override func surrender() -> [Any?] {
        defer {
            selection = nil
            waiting = []
            arrivals = nil
            last = nil
        }
        return super.surrender() + [selection, waiting, arrivals, last]
    }

    override func capture(_ root: UnsafeRawPointer, _ copy: RootCopy?) {
        guard let selection else { return }
        arrivals?.held = held
        waiting.append(Step(captured: selection.capture(root, copy), arrivals: arrivals))
        arrivals = nil
    }

    override func take() { taken = waiting.popFirst() }

    override func advance(_ lock: borrowing Lock) -> Bool {
        guard let step = taken, let last, let selection else { return false }
        taken = nil
        // First, as a later state may change what a value that is gone was.
        let old = selection.value(of: last)
        self.last = .value(old)
        // Where there is no value, nothing is told.
        guard let new = selection.currentValue(of: step.captured) else { return false }
        func change(from old: ValueCopy) -> (change: Change, isRepeat: Bool) {
            let change = Change(from: old, to: new)
            return (change, change.isRepeat(by: isSame))
        }
        let (main, isRepeat) = change(from: old)
        // What is not told does not count: the next change is one from what was told last. An equal value
        // is as good, and a new table is compared with a near one faster; but values that a closure of
        // the subscriber takes for the same may drift away step by step.
        self.last = .value(isRepeat && key == nil ? main.old : main.new)
        self.change = isRepeat ? nil : main
        guard let arrivals = step.arrivals else { return !isRepeat }
        arrivals.changes = arrivals.all.map { arrival in
            if arrival.version >= arrivals.held { return nil }
            let (change, isRepeat) = change(from: selection.value(of: arrival.value))
            return isRepeat ? nil : change
        }
        split = arrivals
        return !isRepeat || arrivals.changes.contains { $0 != nil }
    }

    override func addAudiences(to audiences: inout [Audience]) {
        guard let split else {
            if let change { audiences.append(Audience(of: change, others: members.slots)) }
            return
        }
        var rest = members.slots[...]
        func add(_ change: Change?, upTo lastListener: UInt64) {
            let end = rest.firstIndex { ($0?.order ?? 0) > lastListener } ?? rest.endIndex
            if let change { audiences.append(Audience(of: change, others: Array(rest[..<end]))) }
            rest = rest[end...]
        }
        var change = change
        for (arrival, next) in zip(split.all, split.changes) {
            add(change, upTo: arrival.lastListener)
            change = next
        }
        add(change, upTo: .max)
    }

    override func settle() {
        change = nil
        split = nil
    }
}
