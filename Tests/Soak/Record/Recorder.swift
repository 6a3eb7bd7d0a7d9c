// SPDX-License-Identifier: MIT

import Foundation
import Onward

/// Writes down what happens, from any thread.
///
/// Invariant behind `@unchecked`: everything mutable is touched under `mutex`, under which nothing of
/// the store is called.
final class Recorder: @unchecked Sendable {
    private let mutex = NSLock()
    private var record: Record
    private var stamp = 0
    private var active: [Int: Int] = [:]
    private var openBatches = 0
    private var batchOpenSince: Int?
    private var reducing: UInt?
    private var isReducing = false
    private var reductions = 0
    private var keepings: [Int: Record.Keeping] = [:]
    private var births: [Int: Int] = [:]
    private var lastKeeping = 0
    private var log: [LogEntry] = []

    init(_ history: History) {
        record = Record(history: history)
    }

    private func note<R>(_ body: (inout Record, Int) -> R) -> R {
        mutex.withLock {
            stamp += 1
            return body(&record, stamp)
        }
    }

    var result: Record { mutex.withLock { record } }

    func change(_ body: (inout Record) -> Void) { note { record, _ in body(&record) } }

    func notice(_ what: String) {
        note { record, _ in if record.noticed.count < 20 { record.noticed.append(what) } }
    }

    // MARK: Listeners

    func listen(_ listener: Record.Listener) -> Int {
        note { record, stamp in
            record.listeners.append(listener)
            record.listeners[record.listeners.count - 1].begin = stamp
            return record.listeners.count - 1
        }
    }

    func listens(_ id: Int, version: Int?) {
        note { record, stamp in
            record.listeners[id].end = stamp
            record.listeners[id].versionAfter = version
        }
    }

    func beginCall(_ id: Int, _ old: Int, _ new: Int) -> Int {
        note { record, stamp in
            active[id, default: 0] += 1
            record.listeners[id].calls.append(
                Record.Call(
                    begin: stamp, old: old, new: new, isSecond: active[id] != 1,
                    batchOpenSince: batchOpenSince,
                    version: record.values[.x].map { $0.count - 1 }))
            return record.listeners[id].calls.count - 1
        }
    }

    func endCall(_ id: Int, _ call: Int) {
        note { record, stamp in
            active[id, default: 0] -= 1
            record.listeners[id].calls[call].end = stamp
        }
    }

    func isCalling(_ id: Int) -> Bool { mutex.withLock { active[id, default: 0] > 0 } }

    func beginCancel(_ id: Int, _ kind: Record.Cancel.Kind) -> Int {
        note { record, stamp in
            record.listeners[id].cancels.append(Record.Cancel(begin: stamp, kind: kind))
            return record.listeners[id].cancels.count - 1
        }
    }

    func endCancel(_ id: Int, _ cancel: Int) {
        note { record, stamp in record.listeners[id].cancels[cancel].end = stamp }
    }

    /// Whether a listener is called by the deliverer only.
    func isCalledByDeliverer(_ id: Int) -> Bool {
        mutex.withLock {
            let listener = record.listeners[id]
            return active[id, default: 0] == 0 && !listener.isIsolated && !listener.initially
                && listener.end != nil
        }
    }

    func isGone(_ id: Int) { note { record, _ in record.listeners[id].isGone = true } }

    // MARK: Batches and reducers

    func beginBatch() {
        note { _, stamp in
            openBatches += 1
            if openBatches == 1 { batchOpenSince = stamp }
        }
    }

    func endBatch() {
        note { _, _ in
            openBatches -= 1
            if openBatches == 0 { batchOpenSince = nil }
        }
    }

    func beginReducing(_ thread: UInt) {
        note { record, _ in
            if isReducing { record.noticed.append("two reducers run at the same time") }
            isReducing = true
            reducing = thread
        }
    }

    /// Counts a change of the state; called in a reducer.
    func reduces() { mutex.withLock { reductions += 1 } }

    /// How often something was reduced so far.
    var reductionCount: Int { mutex.withLock { reductions } }

    func endReducing() {
        note { _, _ in
            isReducing = false
            reducing = nil
        }
    }

    func isReducing(on thread: UInt) -> Bool { mutex.withLock { reducing == thread } }

    // MARK: Entries

    func addEntries() -> Int {
        note { record, _ in
            record.entries.append(Record.Entries())
            return record.entries.count - 1
        }
    }

    func observe(_ entry: LogEntry, _ index: Int, _ values: [(Selection, Int)]) {
        note { record, _ in
            record.entries[index].versions.append(Int(entry.version))
            for (selection, value) in values { record.values[selection, default: []].append(value) }
            if index == 0 { log.append(entry) }
            if index == 0, case .claim(let claiming)? = entry.action as? DeskDeed {
                record.claimEntries.append(
                    Record.ClaimEntry(
                        serial: claiming.serial, version: Int(entry.version), stamp: entry.stamp))
            }
        }
    }

    /// The entries of the first observer.
    var entries: [LogEntry] { mutex.withLock { log } }

    // MARK: Claims

    func asks(_ claiming: Claiming, by author: String?) {
        note { record, _ in
            record.claims[claiming.serial] = Record.Claim(claiming: claiming, author: author)
        }
    }

    // MARK: Effects

    /// Which instance has reduced the action with a plan.
    func reduced(_ serial: Int, by birth: Int) { note { _, _ in births[serial] = birth } }

    func birth(of serial: Int) -> Int? { mutex.withLock { births[serial] } }

    func submit(_ plan: EffectPlan, in instance: String) {
        note { record, stamp in
            record.submissions.append(
                Record.Submission(plan: plan, instance: instance, at: stamp))
        }
    }

    func beginRun(_ serial: Int, in instance: String) -> (run: Int, ofSerial: Int) {
        note { record, stamp in
            record.runs.append(Record.Run(serial: serial, instance: instance, begin: stamp))
            return (record.runs.count - 1, record.runs.count { $0.serial == serial })
        }
    }

    func endRun(_ run: Int) { note { record, stamp in record.runs[run].end = stamp } }

    func beginKeeping(_ keeping: Record.Keeping) -> Int {
        note { _, _ in
            lastKeeping += 1
            keepings[lastKeeping] = keeping
            return lastKeeping
        }
    }

    func endKeeping(_ id: Int) { note { _, _ in keepings[id] = nil } }

    var allKeepings: [Record.Keeping] { mutex.withLock { Array(keepings.values) } }

    // MARK: Waits

    func beginWait(_ name: String, endsAtRest: Bool) -> Int {
        note { record, stamp in
            record.waits.append(Record.Wait(name: name, begin: stamp, endsAtRest: endsAtRest))
            return record.waits.count - 1
        }
    }

    func endWait(_ wait: Int) { note { record, stamp in record.waits[wait].end = stamp } }

    // MARK: The end

    func rests(_ rest: Record.Rest) {
        note { record, stamp in
            record.rest = rest
            record.rest?.at = stamp
        }
    }

    func closes() { note { record, stamp in record.closing = stamp } }

    func ended() { note { record, stamp in record.ended = stamp } }

    func remain(_ kind: String, _ change: Int) {
        note { record, _ in record.remaining[kind, default: 0] += change }
    }
}

/// An object that is counted: what holds it is still there.
final class Sentinel: Sendable {
    private let recorder: Recorder
    private let kind: String

    init(_ recorder: Recorder, _ kind: String) {
        self.recorder = recorder
        self.kind = kind
        recorder.remain(kind, 1)
    }

    deinit { recorder.remain(kind, -1) }

    /// Keeps it alive up to here.
    func stay() {}
}
