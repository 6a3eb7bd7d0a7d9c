// SPDX-License-Identifier: MIT

import Onward

/// Records made by hand, each with one thing that a store must never do.
struct BadRecord {
    let promise: String
    let record: Record

    private init(_ promise: String, _ change: (inout Record) -> Void) {
        self.promise = promise
        var record = Self.good
        change(&record)
        self.record = record
    }

    /// A listener of `x` that was notified of three commits.
    static var good: Record {
        let history = History(
            seed: 1, isObserved: true, middleware: nil,
            threads: [.init(kind: .thread, steps: [.dispatch(.bump(.x))])])
        var record = Record(history: history)
        record.values[.x] = [0, 1, 2, 3]
        record.entries = [Record.Entries(versions: [1, 2, 3], replayed: [.x: 3])]
        record.listeners = [listener]
        record.rest = Record.Rest(
            values: [.x: 3], keepings: [], expected: [], runningEffects: [], features: 1)
        record.waits = [Record.Wait(name: "waitUntilIdle()", begin: 5, end: 6, endsAtRest: true)]
        record.submissions = [Record.Submission(plan: plan(1), instance: "root", at: 2)]
        record.runs = [Record.Run(serial: 1, instance: "root", begin: 3, end: 4)]
        record.ended = 100
        addClaims(to: &record)
        return record
    }

    /// One claim that was accepted and one that was refused.
    private static func addClaims(to record: inout Record) {
        let facts = Desk.Facts(count: 0, x: 0, isOpen: true)
        let one = Claiming(serial: 1, weight: 0, author: 1)
        var claim = Record.Claim(claiming: one, author: one.authorName)
        (claim.checks, claim.checkedFacts, claim.reductions) = ([0, 1, 2], facts, [facts])
        claim.result = .accepted(2)
        record.claims[1] = claim
        claim = Record.Claim(claiming: Claiming(serial: 2, weight: 3))
        (claim.checks, claim.checkedFacts) = ([0, 1], facts)
        (claim.result, claim.seen) = (.refused("CrowdRefusal/tooHeavy"), ["CrowdRefusal/tooHeavy"])
        record.claims[2] = claim
        let time = Timestamp(nanosecondsSince1970: 7)
        record.claimEntries = [
            Record.ClaimEntry(
                serial: 1, version: 2,
                stamp: EntryStamp(seed: 1, time: time, author: one.authorName))
        ]
        record.rest?.refusals = 1
        record.rest?.desk.claims = [
            Claim(
                serial: 1, id: UniqueID(number: 1), spare: UniqueID(number: 2), time: time,
                author: one.authorName)
        ]
    }

    /// Records that may look bad and are not.
    static var allGood: [Record] {
        var late = good
        late.rest?.at = 50
        late.listeners.append(listener)
        // One that subscribes while the store ends, when the rest was seen already.
        late.listeners[1].initially = true
        (late.listeners[1].begin, late.listeners[1].end) = (60, 63)
        (late.listeners[1].versionBefore, late.listeners[1].versionAfter) = (3, 3)
        late.listeners[1].calls = [Record.Call(begin: 61, end: 62, old: 3, new: 3)]
        // One whose value was replaced before its turn came.
        var skipping = good
        skipping.listeners[0].calls.remove(at: 1)
        skipping.listeners[0].calls[1].old = 1
        skipping.listeners[0].calls[0].version = 3
        var unsure = good
        unsure.trackings = [
            Record.Tracking(selection: .x, turn: 1, lastRead: 2, isArmed: true, mayMiss: true)
        ]
        return [good, late, skipping, unsure]
    }

    private static var listener: Record.Listener {
        var listener = Record.Listener(
            name: "listener", selection: .x, isIsolated: false, initially: false,
            begin: 1)
        listener.end = 2
        listener.versionBefore = 0
        listener.versionAfter = 0
        listener.calls = [
            Record.Call(begin: 10, end: 11, old: 0, new: 1),
            Record.Call(begin: 12, end: 13, old: 1, new: 2),
            Record.Call(begin: 14, end: 15, old: 2, new: 3),
        ]
        return listener
    }

    private static func plan(_ serial: Int, _ policy: EffectPolicy = .concurrent) -> EffectPlan {
        EffectPlan(
            serial: serial, id: 1, policy: policy, timing: .none, wrap: .none, steps: [.answer])
    }

    static var all: [BadRecord] {
        calls + cancelling + others + effects + claims
    }

    private static var calls: [BadRecord] {
        [
            BadRecord("4 forward only, one call at a time") {
                $0.listeners[0].calls[1].isSecond = true
            },
            BadRecord("4 forward only, old is the last value notified") {
                $0.listeners[0].calls[1].old = 0
            },
            BadRecord("4 forward only, equal values are skipped") {
                $0.listeners[0].calls[1].new = 1
            },
            BadRecord("4 forward only, old is the value at subscription") {
                $0.listeners[0].calls[0].old = 7
            },
            BadRecord("4 forward only, in version order") { record in
                record.listeners[0].calls[0].new = 2
                record.listeners[0].calls[1] = Record.Call(begin: 12, end: 13, old: 2, new: 1)
            },
            BadRecord("4 forward only, in version order") { $0.listeners[0].calls[2].new = 9 },
            BadRecord("4 forward only, nothing stale at rest") {
                $0.listeners[0].calls.removeLast()
            },
            BadRecord("4 forward only, nothing stale at rest") { $0.listeners[0].calls = [] },
            BadRecord("4 forward only, the latest wins") { $0.listeners[0].calls[0].version = 3 },
            BadRecord("7 no calls while a batch is open") { record in
                record.listeners[0].calls[0].batchOpenSince = 9
                record.listeners[0].calls[1].batchOpenSince = 9
            },
            BadRecord("5 fair order") { record in
                var second = listener
                second.name = "another"
                (second.begin, second.end) = (3, 4)
                second.calls[0].begin = 9
                record.listeners.append(second)
            },
            BadRecord("observation, who read is notified") {
                $0.trackings = [
                    Record.Tracking(selection: .x, turn: 1, lastRead: 2, isArmed: true)
                ]
            },
        ]
    }

    private static var cancelling: [BadRecord] {
        func cancelled(_ kind: Record.Cancel.Kind, at moment: Int) -> (inout Record) -> Void {
            {
                $0.listeners[0].cancels = [
                    Record.Cancel(begin: moment - 1, end: moment, kind: kind)
                ]
            }
        }
        return [
            BadRecord("6 no calls after cancelling", cancelled(.elsewhere, at: 9)),
            BadRecord("6 no calls after cancelling", cancelled(.own, at: 13)),
            BadRecord("6 no calls after cancelAndWait") { record in
                cancelled(.waited, at: 16)(&record)
                record.listeners[0].calls[2].end = 18
            },
        ]
    }

    private static var others: [BadRecord] {
        [
            BadRecord("1 serial") { $0.entries[0].versions = [1, 3] },
            BadRecord("1 serial") { $0.entries[0].versions = [1, 3, 2] },
            BadRecord("8 pure replay") { $0.entries[0].replayed = [.x: 4] },
            BadRecord("2 any thread") { $0.deadlock = ["thread 0", "a task"] },
            BadRecord("9 bounded") { $0.isEndless = true },
            BadRecord("every wait ends") { $0.waits[0].end = nil },
            BadRecord("every wait ends") { $0.ended = nil },
            BadRecord("no calls after the end") { $0.ended = 13 },
            BadRecord("nothing is retained after the end") { $0.remaining = ["subscriber": 1] },
            BadRecord("nothing runs after the end") { $0.runs[0].end = nil },
        ]
    }

    private static var claims: [BadRecord] {
        let facts = Desk.Facts(count: 0, x: 0, isOpen: false)
        return [
            BadRecord("checks, what is accepted is reduced once") { $0.claims[1]?.reductions = [] },
            BadRecord("checks, what is accepted is logged") { $0.claimEntries = [] },
            BadRecord("checks, what is refused changes nothing") {
                $0.claims[2]?.reductions = [facts]
            },
            BadRecord("checks, what is refused is not logged") { record in
                record.claimEntries.append(Record.ClaimEntry(serial: 2, version: 3, stamp: nil))
            },
            BadRecord("checks, what a check refuses is not committed") {
                $0.claims[1]?.reductions = [facts]
            },
            BadRecord("checks, the first reason wins") { record in
                record.claims[2]?.result = .refused("DeskRefusal/closed")
            },
            BadRecord("checks, a refusal is told once") { $0.claims[2]?.seen = [] },
            BadRecord("checks, a refusal is told once") { $0.claims[1]?.seen = ["x"] },
            BadRecord("checks, refusals are counted") { $0.rest?.refusals = 2 },
            BadRecord("stamps, ids are unique") { record in
                let claim = record.rest?.desk.claims ?? []
                record.rest?.desk.claims += claim
            },
            BadRecord("stamps, the author is who was named") { $0.claims[1]?.author = nil },
            BadRecord("stamps, an entry has that of its reducer") {
                $0.claimEntries[0].stamp = nil
            },
        ]
    }

    private static var effects: [BadRecord] {
        func submit(_ policy: EffectPolicy, _ record: inout Record) {
            record.submissions = (1...2).map {
                Record.Submission(plan: plan($0, policy), instance: "root", at: $0)
            }
        }
        return [
            BadRecord("effects, nothing is left at rest") {
                $0.rest?.runningEffects = ["an effect"]
            },
            BadRecord("effects, what was accepted runs") { $0.runs = [] },
            BadRecord("effects, what was accepted runs") { record in submit(.latest, &record) },
            BadRecord("effects, one at a time") { record in
                submit(.dropping, &record)
                record.runs.append(Record.Run(serial: 2, instance: "root", begin: 3, end: 5))
            },
            BadRecord("effects, a queue keeps its order") { record in
                submit(.queue, &record)
                record.runs = [
                    Record.Run(serial: 2, instance: "root", begin: 3, end: 4),
                    Record.Run(serial: 1, instance: "root", begin: 5, end: 6),
                ]
            },
            BadRecord("while, alive exactly while the state says so") {
                $0.rest?.expected = [
                    Record.Keeping(what: "live", value: 1, birth: 0, features: 1)
                ]
            },
            BadRecord("while, of the features that were put in last") { record in
                let keeping = Record.Keeping(what: "live", value: 1, birth: 0, features: 2)
                record.rest?.keepings = [keeping]
                record.rest?.expected = [keeping]
            },
        ]
    }
}
