// SPDX-License-Identifier: MIT

import Onward

/// Judges a record by the promises of `Store`: a pure function, which knows nothing of how a store
/// works.
struct Checker {
    let record: Record
    private var faults: [Fault] = []

    /// What is wrong, each fault beginning with the promise that it breaks.
    static func faults(of record: Record) -> [Fault] {
        var checker = Checker(record: record)
        checker.check()
        return checker.faults
    }

    private init(record: Record) {
        self.record = record
    }

    mutating func fail(_ promise: String, _ what: String) {
        if faults.count < 12 { faults.append(Fault(promise: promise, what: what)) }
    }

    private mutating func check() {
        for what in record.noticed { fail("seen, \(what.filter { !$0.isNumber })", what) }
        if !record.deadlock.isEmpty {
            fail("2 any thread", "deadlock of \(record.deadlock.joined(separator: ", "))")
        }
        if record.isEndless { fail("9 bounded", "no end after \(record.points) points") }
        for entries in record.entries { check(entries) }
        for listener in record.listeners { check(listener) }
        checkOrder()
        checkClaims()
        guard record.deadlock.isEmpty, !record.isEndless else { return }
        for tracking in record.trackings { check(tracking) }
        checkWaits()
        checkEffects()
        checkWhiles()
        checkEnd()
    }

    // MARK: Entries

    private mutating func check(_ entries: Record.Entries) {
        for (last, next) in zip(entries.versions, entries.versions.dropFirst())
        where next != last + 1 {
            fail("1 serial", "entry \(next) came after entry \(last)")
        }
        guard let replayed = entries.replayed, let rest = record.rest else { return }
        for (selection, value) in rest.values.sorted(by: { "\($0.key)" < "\($1.key)" })
        where replayed[selection] != nil && replayed[selection] != value {
            fail("8 pure replay", "\(selection) is \(value), replayed \(replayed[selection] ?? 0)")
        }
    }

    // MARK: Listeners

    private mutating func check(_ listener: Record.Listener) {
        checkCalls(of: listener)
        checkCancelling(of: listener)
        if let values = record.values[listener.selection] {
            checkPath(of: listener, in: values)
            checkLatest(of: listener, in: values)
        } else {
            checkGrowth(of: listener)
        }
        if record.rest != nil { checkRest(of: listener) }
    }

    private mutating func checkCalls(of listener: Record.Listener) {
        let name = "\(listener.name) of \(listener.selection)"
        var last: Int?
        for (index, call) in listener.calls.enumerated() {
            if call.isSecond {
                fail("4 forward only, one call at a time", "\(name) was called twice at a time")
            }
            if let last, listener.kind != .watcher, !mayFollow(last, call.old, listener) {
                fail(
                    "4 forward only, old is the last value notified",
                    "\(name) was notified \(last), then \(call.old) → \(call.new)")
            }
            last = call.new
            let isFirst = index == 0 && listener.initially
            if !isFirst, listener.selection.isSame(call.old, call.new) {
                fail(
                    "4 forward only, equal values are skipped",
                    "\(name) was given an equal value: \(call.old) → \(call.new)")
            }
        }
        // A call that was under way when the batch was opened may be followed by one more, and the first call
        // of a subscriber by all that were delivered during it.
        let inBatch = listener.calls.filter { call in
            call.batchOpenSince.map { $0 > (listener.end ?? .max) } ?? false
        }
        for (first, second) in zip(inBatch, inBatch.dropFirst())
        where first.batchOpenSince == second.batchOpenSince && !listener.isIsolated
            && !listener.initially
        {
            fail(
                "7 no calls while a batch is open",
                "\(name) was called twice while a batch was open")
        }
        if let ended = record.ended, !isSequence(listener),
            let end = listener.end, end < record.closing ?? ended,
            listener.calls.contains(where: { $0.begin > ended })
        {
            fail("no calls after the end", "\(name) was called after the end")
        }
    }

    /// Whether a listener that was given one value may be notified of a change of another next.
    ///
    /// Where changes wait to be delivered as one, one that led back to about the same value is left out, and what
    /// follows begins where it ended, as the comparison of a closure says.
    private func mayFollow(_ last: Int, _ old: Int, _ listener: Record.Listener) -> Bool {
        let joinsChanges =
            listener.isIsolated || listener.initially
        return joinsChanges ? listener.selection.isSame(last, old) : last == old
    }

    private mutating func checkCancelling(of listener: Record.Listener) {
        for cancel in listener.cancels {
            guard let end = cancel.end else { continue }
            let late = listener.calls.count { $0.begin > end }
            if late > (cancel.kind == .elsewhere ? 1 : 0) {
                fail(
                    "6 no calls after cancelling",
                    "\(listener.name) was called \(late) times after it")
            }
            if cancel.kind == .waited,
                listener.calls.contains(where: { ($0.end ?? .max) > end && $0.begin < end })
            {
                fail(
                    "6 no calls after cancelAndWait",
                    "\(listener.name) was still called after waiting")
            }
        }
    }

    /// The values notified must be those of growing versions, and complete where every change is notified.
    private mutating func checkPath(of listener: Record.Listener, in all: [Int]) {
        guard let before = listener.versionBefore, let end = listener.end else { return }
        let name = "\(listener.name) of \(listener.selection)"
        let isKept = listener.selection.remembersLast
        let latestStart = min(listener.versionAfter ?? before, all.count - 1)
        guard before < all.count else { return }
        guard let first = listener.calls.first else { return }
        if !isKept, first.begin < end || listener.kind == .subscriber {
            let known = all[before...max(before, latestStart)]
            if !known.contains(first.old), listener.kind == .subscriber, !listener.initially {
                fail(
                    "4 forward only, old is the value at subscription",
                    "\(name) knew \(first.old) first, not one of \(known)")
            }
        }
        var version = before - 1
        for call in listener.calls {
            guard let next = all.indices.first(where: { $0 > version && all[$0] == call.new })
            else {
                let past = all.prefix(max(version, 0) + 1).contains(call.new)
                fail(
                    "4 forward only, in version order",
                    "\(name) was notified \(call.new) after version \(version), "
                        + (past ? "an older value" : "which was never committed"))
                return
            }
            version = next
        }
    }

    /// Without an observer all numbers only grow.
    private mutating func checkGrowth(of listener: Record.Listener) {
        let growing: [Selection] = [
            .x, .y, .half, .near, .model, .sum, .family(1), .left, .leftStore,
        ]
        guard growing.contains(listener.selection), !record.history.travels else { return }
        for call in listener.calls where call.new < call.old {
            fail(
                "4 forward only, in version order",
                "\(listener.name) was notified \(call.old) → \(call.new)")
        }
    }

    private mutating func checkRest(of listener: Record.Listener) {
        // A listener that came after the rest, when the end of the store ended a wait, could not be notified.
        guard let rest = record.rest, !listener.isGone, listener.cancels.isEmpty,
            let end = listener.end, end < rest.at, let value = rest.values[listener.selection]
        else { return }
        let name = "\(listener.name) of \(listener.selection)"
        if case .sequence(let losesNewest, _) = listener.kind, losesNewest { return }
        if value == -1, listener.selection.remembersLast { return }
        if mayDrift(listener) { return }
        let calls = listener.calls.filter { $0.begin < rest.at }
        if let last = calls.last {
            if !listener.selection.isSame(last.new, value) {
                fail(
                    "4 forward only, nothing stale at rest",
                    "at rest \(name) knows \(last.new), but it is \(value)")
            }
        } else if listener.initially {
            fail("4 forward only, nothing stale at rest", "\(name) never got its first value")
        } else if let all = record.values[listener.selection],
            let after = listener.versionAfter, after < all.count
        {
            let start = listener.versionBefore.map { min($0, after) } ?? after
            if !all[start...after].contains(where: { listener.selection.isSame($0, value) }),
                !listener.selection.remembersLast
            {
                fail(
                    "4 forward only, nothing stale at rest",
                    "at rest \(name) knows nothing, but it became \(value)")
            }
        }
    }

    /// A value is never older than what had been committed when its round began: so no older than what a listener could
    /// know at its last call, which is of an earlier round.
    private mutating func checkLatest(of listener: Record.Listener, in all: [Int]) {
        guard listener.kind == .subscriber, !listener.isIsolated, !listener.selection.remembersLast
        else { return }
        for (last, call) in zip(listener.calls, listener.calls.dropFirst()) {
            guard let committed = last.version, committed < all.count,
                !all[committed...].contains(call.new)
            else { continue }
            fail(
                "4 forward only, the latest wins",
                "\(listener.name) of \(listener.selection) was notified \(call.new) after version "
                    + "\(committed) had been committed")
        }
    }

    private func isSequence(_ listener: Record.Listener) -> Bool {
        if case .sequence = listener.kind { true } else { false }
    }

    /// Whether values may drift away from what it knows: where changes of a comparison that is no equivalence
    /// wait to be delivered as one, as the documentation of such readings says.
    private func mayDrift(_ listener: Record.Listener) -> Bool {
        guard listener.selection == .near || isNear(listener.selection) else { return false }
        return listener.isIsolated || listener.initially
    }

    private func isNear(_ selection: Selection) -> Bool {
        if case .rowNear = selection { true } else { false }
    }

    /// Of two subscribers to the same value, the first is called first.
    private mutating func checkOrder() {
        let all = record.listeners.filter {
            $0.kind == .subscriber && !$0.isIsolated && $0.end != nil
        }
        guard !record.history.hasBatches else { return }
        for (index, first) in all.enumerated() {
            for second in all[(index + 1)...]
            where second.selection == first.selection && (first.end ?? .max) < second.begin {
                for call in second.calls.dropFirst(second.initially ? 1 : 0) {
                    let before = first.calls.filter { $0.old == call.old && $0.new == call.new }
                    let repeats = second.calls.count { $0.old == call.old && $0.new == call.new }
                    guard before.count == 1, repeats == 1,
                        !first.initially || before[0].old != before[0].new
                    else { continue }
                    if before[0].begin > call.begin {
                        fail("5 fair order", "\(second.name) was notified before \(first.name)")
                    }
                }
            }
        }
    }

    private mutating func check(_ tracking: Record.Tracking) {
        // A reader without isolation may miss what others change before its tracking has begun.
        guard let rest = record.rest, tracking.isArmed, !tracking.mayMiss,
            let read = tracking.lastRead, let value = rest.values[tracking.selection]
        else { return }
        if read != value, !record.history.travels || record.history.isObserved {
            fail(
                "observation, who read is notified",
                "\(tracking.selection) is \(value), but who read \(read) is not notified")
        }
    }

    // MARK: Waits and the end

    private mutating func checkWaits() {
        guard record.rest != nil else { return }
        for wait in record.waits where wait.end == nil {
            if record.ended != nil || wait.endsAtRest {
                fail("every wait ends", "\(wait.name) still waits")
            }
        }
    }

    private mutating func checkEnd() {
        guard record.rest != nil else { return }
        guard record.ended != nil else {
            return fail("every wait ends", "waitUntilIdle() or shutdown() at the end still waits")
        }
        for (kind, count) in record.remaining.sorted(by: { $0.key < $1.key }) where count > 0 {
            fail("nothing is retained after the end", "\(count) × \(kind) stayed after the end")
        }
        for run in record.runs where run.end == nil {
            fail("nothing runs after the end", "the effect \(run.serial) still runs after the end")
        }
    }

    // MARK: Effects

    private mutating func checkEffects() {
        if let rest = record.rest, !rest.runningEffects.isEmpty {
            fail(
                "effects, nothing is left at rest", "at rest there are still \(rest.runningEffects)"
            )
        }
        guard !record.history.disturbsEffects else { return }
        let groups = Dictionary(grouping: record.submissions) {
            // Without an id, the effects of one part share a policy and a timing.
            "\($0.instance) \($0.plan.id.map(String.init) ?? "unnamed")"
        }
        for (name, submissions) in groups.sorted(by: { $0.key < $1.key }) {
            checkGroup(submissions, name)
        }
    }

    private mutating func checkGroup(_ group: [Record.Submission], _ name: String) {
        guard let first = group.first, let last = group.last else { return }
        let isMortal =
            first.instance == "sheet" || first.instance.hasPrefix("odd")
            || first.instance.hasPrefix("row") && record.history.rowsGo
        let (policy, timing) = (first.plan.policy, first.plan.timing)
        let isUniform = group.allSatisfy {
            $0.plan.policy == policy && $0.plan.timing == timing
                && ($0.plan.wrap == .pacedStep) == (first.plan.wrap == .pacedStep)
        }
        // Without a name, effects are distinguished by the part that makes them, of which there are several.
        let isNamed = group.allSatisfy {
            $0.plan.id != nil && $0.plan.wrap != .sequence && $0.plan.wrap != .merge
        }
        let takesAll = timing == .none && (policy == .concurrent || policy == .queue)
        guard isUniform, isNamed || takesAll else { return }
        let serials = Set(group.map(\.plan.serial))
        let runs = record.runs.filter {
            serials.contains($0.serial) && $0.instance == first.instance
        }
        if policy == .dropping || policy == .queue, !isMortal,
            group.allSatisfy({ $0.plan.wrap == .none })
        {
            for (index, run) in runs.enumerated() {
                for other in runs[(index + 1)...] where (run.end ?? .max) > other.begin {
                    fail(
                        "effects, one at a time",
                        "two of the id \(name) run at a time under \(policy)")
                }
            }
        }
        guard !isMortal else { return }
        let begun = runs.map(\.serial)
        guard first.plan.wrap != .pacedStep else {
            // Tasks submit them, in any order; but one of them has to run.
            if begun.isEmpty { fail("effects, what was accepted runs", "none of \(name) has run") }
            return
        }
        switch (timing, policy) {
        case (.none, .concurrent), (.none, .queue):
            for submission in group where !begun.contains(submission.plan.serial) {
                fail(
                    "effects, what was accepted runs",
                    "\(submission.plan.serial) of \(name) has never run")
            }
            let order = group.map(\.plan.serial)
            if policy == .queue, group.allSatisfy({ $0.plan.wrap == .none }),
                Set(order).count == order.count, begun != order
            {
                fail(
                    "effects, a queue keeps its order",
                    "the queue \(order) of \(name) ran as \(begun)")
            }
        case (.none, .dropping), (.throttle(_, .leading), _):
            if !begun.contains(first.plan.serial) {
                fail("effects, what was accepted runs", "the first of \(name) has never run")
            }
        case (.none, .latest), (.debounce, .latest), (.debounce, .concurrent):
            if !begun.contains(last.plan.serial) {
                fail("effects, what was accepted runs", "the last of \(name) has never run")
            }
        case (.throttle, .concurrent), (.throttle, .latest):
            if !begun.contains(last.plan.serial) {
                fail(
                    "effects, what was accepted runs",
                    "the last of \(name), throttled, has never run")
            }
        default: break
        }
    }

    private mutating func checkWhiles() {
        guard let rest = record.rest, !record.history.endsEarly else { return }
        func key(_ keeping: Record.Keeping) -> String {
            "\(keeping.what) = \(keeping.value), born as \(keeping.birth)"
        }
        let lives = rest.keepings.map(key).sorted()
        let expected = rest.expected.map(key).sorted()
        if lives != expected {
            fail(
                "while, alive exactly while the state says so",
                "alive at rest are \(lives), not \(expected)")
        }
        for keeping in rest.keepings where keeping.features != rest.features {
            fail(
                "while, of the features that were put in last",
                "\(keeping.what) is of features that were replaced")
        }
    }
}
