// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal

/// Notes what readers see and clients are answered, and judges it by the log in the end.
struct Judge {
    /// What was found wrong.
    private(set) var faults: [String] = []
    /// For each store the digest of every version that a reader saw; 0 where none did.
    private var seen: [[UInt64]]
    /// The entries whose effects were started.
    private var started: [EntryID: Int] = [:]
    /// The epochs in which the durable work of entries was begun, and the entries of which it was done.
    private var begun: [EntryID: [UInt64]] = [:]
    private var done: Set<EntryID> = []

    init(stores: Int) {
        seen = Array(repeating: [], count: stores)
    }

    mutating func fail(_ text: String) {
        if faults.count < 10 { faults.append(text) }
    }

    /// A reader sees a state.
    mutating func see(
        _ state: SimulatedState, at version: CommitVersion, in store: Int, on node: NodeID
    ) {
        let index = Int(version)
        while seen[store].count <= index { seen[store].append(0) }
        if seen[store][index] == 0 { seen[store][index] = state.digest }
        if seen[store][index] != state.digest {
            fail("readers of store \(store) saw two states of version \(version), one on \(node)")
        }
    }

    /// An effect is started.
    mutating func start(_ entry: JournalEntry, in store: Int) {
        if started.updateValue(store, forKey: entry.id) != nil {
            fail("the effect of entry \(entry.version) in store \(store) was started twice")
        }
    }

    /// Durable work is begun, for the first time or again.
    mutating func beginWork(of entry: JournalEntry, in epoch: UInt64, of store: Int) {
        if begun[entry.id]?.contains(epoch) == true {
            fail(
                "the work of entry \(entry.version) in store \(store) was begun twice in one epoch")
        }
        begun[entry.id, default: []].append(epoch)
    }

    /// Durable work is done.
    mutating func endWork(of entry: JournalEntry) { done.insert(entry.id) }

    /// A request is answered.
    mutating func answer(
        _ operation: Operation, _ outcome: ProposalOutcome, by member: SimulatedMember
    ) {
        if case .refused(.outdated(let version)) = outcome {
            if version <= operation.request.unchangedSince ?? .max {
                fail("a request in store \(operation.store) was refused as outdated, and is not")
            }
            if member.replica.fold.version < version {
                fail("\(member.node) refused what is outdated before it showed \(version)")
            }
        }
        guard case .accepted(let version) = outcome else { return }
        if member.replica.fold.version < version {
            fail(
                "\(member.node) answered \(version) of store \(operation.store) before it showed it"
            )
        }
        if let first = operation.accepted, first != version {
            fail(
                "a request in store \(operation.store) was answered with \(first), then with \(version)"
            )
        }
    }

    /// Compares everything with the logs that are left.
    mutating func judge(_ logs: [SimulatedJournal.Log], _ operations: [EntryID: Operation]) {
        for store in logs.indices { judge(logs[store].entries, of: store, operations) }
        let ids = Set(logs.lazy.flatMap { $0.entries.lazy.map(\.id) })
        if begun.keys.contains(where: { !ids.contains($0) }) {
            fail("durable work was begun for an entry that isn't in a log")
        }
        let lost = started.filter { !ids.contains($0.key) }
        if let store = lost.values.min() {
            fail("an effect in store \(store) was started for an entry that isn't in its log")
        }
        let missing = operations.values.filter { operation in
            guard let version = operation.accepted else { return false }
            let entries = logs[operation.store].entries
            guard version >= 1, version <= entries.count else { return true }
            let entry = entries[Int(version) - 1]
            return entry.id.request(in: entry.epoch) != operation.request.id
        }
        if let version = missing.compactMap(\.accepted).min() {
            fail("a request that was answered with version \(version) isn't there")
        }
    }

    /// No work was begun while so much of it hadn't ended.
    mutating func judgeLimit(_ limit: Int, _ logs: [SimulatedJournal.Log]) {
        for (store, log) in logs.enumerated() {
            for version in WorkLimit(limit, in: log.entries).breaches(in: log.entries) {
                fail("too much work was begun in store \(store), behind entry \(version)")
            }
        }
    }

    /// Durable work that an entry of the logs asks for was done and has ended, and wasn't begun any more after that.
    mutating func judgeWork(_ logs: [SimulatedJournal.Log]) {
        var ended: [EntryID: UInt64] = [:]
        for entry in logs.lazy.flatMap(\.entries) {
            for id in Ownership(entry)?.ended ?? [] where ended[id] == nil {
                ended[id] = entry.epoch
                if !done.contains(id) {
                    fail("work that has ended by entry \(entry.version) wasn't done")
                }
            }
        }
        for (store, log) in logs.enumerated() {
            for entry in log.entries where entry.hasAction {
                guard SimulatedAction(entry.payload)?.beginsWork == true else { continue }
                guard let end = ended[entry.id] else {
                    fail("the work of entry \(entry.version) in store \(store) has never ended")
                    continue
                }
                if begun[entry.id, default: []].contains(where: { $0 > end }) {
                    fail(
                        "the work of entry \(entry.version) in store \(store) was begun after its end"
                    )
                }
            }
        }
    }

    private mutating func judge(
        _ entries: [JournalEntry], of store: Int, _ operations: [EntryID: Operation]
    ) {
        let features = SimulatedFeatures(fingerprint: FeatureFingerprint(rawValue: 0))
        var state = SimulatedState()
        var epoch: UInt64 = 0
        var owner: NodeID?
        var done: Set<EntryID> = []
        // The last entry of a request.
        var newest: CommitVersion = 0
        // The payloads of the entries that are still to come from one request.
        var rest: [[UInt8]] = []
        for (index, entry) in entries.enumerated() {
            if entry.version != index + 1 {
                fail("store \(store) has a gap before \(entry.version)")
            }
            if entry.epoch < epoch {
                fail(
                    "entry \(entry.version) of epoch \(entry.epoch) is behind epoch \(epoch) in store \(store)"
                )
            }
            if let ownership = Ownership(entry) {
                if entry.epoch == epoch, owner != ownership.node {
                    fail("epoch \(epoch) of store \(store) has two owners")
                }
                owner = ownership.node
            } else if entry.epoch != epoch {
                fail("entry \(entry.version) of store \(store) is of an epoch without an owner")
            }
            epoch = max(epoch, entry.epoch)
            if entry.hasAction {
                let before = newest
                if rest.isEmpty { rest = judge(entry, state, store) }
                if let expected = rest.popLast(), expected != entry.payload {
                    fail(
                        "a request left only a part of its entries in store \(store), at \(entry.version)"
                    )
                }
                let id = entry.id.request(in: entry.epoch)
                if let operation = operations[id] {
                    if !done.insert(id).inserted {
                        fail(
                            "a request was done twice in store \(store), again in entry \(entry.version)"
                        )
                    }
                    if let since = operation.request.unchangedSince, before > since {
                        fail(
                            """
                            entry \(entry.version) of store \(store) was for the state of version \(since), which \
                            entry \(before) has changed
                            """)
                    }
                    newest = entry.version
                }
            } else if !rest.isEmpty {
                fail("something stands within a request of store \(store), at \(entry.version)")
            }
            features.reduce(entry, into: &state)
            if seen[store].count > index + 1, seen[store][index + 1] != 0,
                seen[store][index + 1] != state.digest
            {
                fail(
                    "a reader of store \(store) saw a version \(index + 1) that isn't that of the log"
                )
            }
        }
        if seen[store].count > entries.count + 1 {
            fail(
                "a reader of store \(store) saw version \(seen[store].count - 1) of \(entries.count)"
            )
        }
    }

    /// Judges the first entry of a request.
    ///
    /// - Returns: The payloads of its entries.
    private mutating func judge(
        _ entry: JournalEntry, _ state: SimulatedState, _ store: Int
    ) -> [[UInt8]] {
        guard let action = SimulatedAction(entry.payload) else { return [] }
        if action.digest != state.digest {
            fail("entry \(entry.version) of store \(store) was decided on another state")
        }
        if action.epoch != .max, action.epoch != entry.epoch {
            fail(
                """
                an effect of epoch \(action.epoch) has left an entry of epoch \(entry.epoch) in store \(store)
                """)
        }
        return Array(repeating: entry.payload, count: action.value % 8 == 2 ? 3 : 1)
    }
}
