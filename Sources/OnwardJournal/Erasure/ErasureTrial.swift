// SPDX-License-Identifier: MIT

internal import Onward

/// Restores a journal as an erasure would leave it, before anything is put in place.
///
/// Problem: an erasure changes ids, keys and states by rules that know nothing of the features. What
/// is left may not be readable, or may lead elsewhere.
///
/// Strategy: a view of the journal shows what would be there. It is restored beside the journal as
/// it is, both from the snapshots that stay; where the second can do something that the first
/// can't, the erasure is refused.
struct ErasureTrial<State: Codable & Sendable> {
    let journal: any ReadableJournal
    let plan: ErasurePlan
    let erasure: Erasure
    let initial: State
    let store: Store<State>
    let codec: JournalCodec<State>

    /// What a restoration has come across.
    private struct Course {
        let state: State
        var quarantined: [CommitVersion: JournalError] = [:]
        var missed: Set<CommitVersion> = []
    }

    /// Returns where the restored state differs in more than what was erased.
    ///
    /// - Throws: Why the erasure has to be refused.
    func run() async throws(ErasureError) -> [DataPath] {
        let before = ErasureView(base: journal, plan: plan, isErased: false)
        let after = ErasureView(base: journal, plan: plan, isErased: true)
        try await checkStates(before, after)
        let old = try await course(of: before)
        let new = try await course(of: after)
        try check(new, against: old)
        return try differences(new.state, from: old.state)
    }

    /// Each state that changes can still be decoded.
    private func checkStates(
        _ before: ErasureView, _ after: ErasureView
    ) async throws(ErasureError) {
        for snapshot in plan.snapshots {
            let version = snapshot.version
            let old = try? await journal.snapshot(at: version)
            guard let old, old.version == version, (try? codec.states.decode(old)) != nil else {
                continue
            }
            do {
                _ = try codec.states.decode(snapshot)
            } catch {
                throw unreadable(error, at: version)
            }
        }
        for install in plan.entries where install.kind == .install {
            guard let old = try? await before.entries(from: install.version, limit: 1).first,
                (try? await codec.states.state(of: old, in: before)) != nil
            else { continue }
            do {
                _ =
                    try codec.states.shown(by: install) == nil
                    ? try await codec.states.state(of: install, in: after) : nil
            } catch {
                throw unreadable(error, at: install.version)
            }
        }
    }

    private func course(of view: ErasureView) async throws(ErasureError) -> Course {
        let quarantined = Guarded<[CommitVersion: JournalError]>([:])
        let missed = Guarded<Set<CommitVersion>>([])
        var fold = JournalFold(
            journal: view, initial: initial, store: store, codec: codec,
            whenUnreadable: .quarantine { entry in
                quarantined.withValue { $0[entry.entry.version] = entry.error }
            })
        fold.onRefusal = { version in missed.withValue { _ = $0.insert(version) } }
        let last = plan.end.version
        let found: JournalFold<State>.Found
        do {
            found = try await fold.state(at: last)
        } catch {
            throw unreadable(error, at: error.version)
        }
        return Course(
            state: found.state, quarantined: quarantined.withValue { $0 },
            missed: missed.withValue { $0 })
    }

    private func check(_ new: Course, against old: Course) throws(ErasureError) {
        var isTolerant = false
        if case .quarantine = codec.whenUnreadable { isTolerant = true }
        let broken = new.quarantined.filter { !isTolerant || old.quarantined[$0.key] == nil }
        if let (version, error) = broken.min(by: { $0.key < $1.key }) {
            throw unreadable(error, at: version)
        }
        if let version = new.missed.subtracting(old.missed).min() {
            let address = plan.entries.first { $0.version == version }?.address
            throw ErasureError(
                .missedRow, version: version,
                """
                After the erasure, entry \(version)\(address.map { ", for \"\($0)\"," } ?? "") would not reach the \
                row or the slice that it reached. An erasure has to change the id of a row in addresses, in \
                actions and in states alike.
                """)
        }
    }

    private func differences(
        _ new: State, from old: State
    ) throws(ErasureError) -> [DataPath] {
        let expected: DataValue
        let found: DataValue
        do {
            (expected, found) = (
                try codec.states.value(of: old, at: plan.end.version),
                try codec.states.value(of: new, at: plan.end.version)
            )
        } catch {
            throw ErasureError(error)
        }
        let wanted = try erasure.state(expected)
        do {
            _ = try wanted.decoded(as: State.self)
        } catch {
            // Not the erasure's doing, where the state isn't decoded anyway.
            if (try? expected.decoded(as: State.self)) != nil {
                throw ErasureError(
                    .unreadable, version: plan.end.version,
                    """
                    The state at version \(plan.end.version) could not be read after the erasure: \
                    \(ActionCodec.reason(error)). If two persons get one replacement, choose another one.
                    """)
            }
        }
        var paths: [DataPath] = []
        wanted.listDifferences(from: found, at: DataPath(), in: &paths)
        return paths
    }

    private func unreadable(_ error: JournalError, at version: CommitVersion?) -> ErasureError {
        ErasureError(
            .unreadable, version: version,
            "After the erasure, the journal could not be restored: \(error.description)")
    }
}

extension DataValue {
    private static var mostDifferences: Int { 100 }

    /// Lists where this value differs from another one.
    fileprivate func listDifferences(
        from other: DataValue, at path: DataPath, in paths: inout [DataPath]
    ) {
        guard paths.count < Self.mostDifferences, DataDifference(from: self, to: other) != nil
        else { return }
        switch (self, other) {
        case (.list(let mine), .list(let others)) where mine.count == others.count:
            for (index, (mine, other)) in zip(mine, others).enumerated() {
                mine.listDifferences(from: other, at: path.appending("\(index)"), in: &paths)
            }
        case (.object(let mine), .object(let others)):
            for name in Set(mine.keys).union(others.keys).sorted() {
                guard let mine = mine[name], let other = others[name] else {
                    paths.append(path.appending(name))
                    continue
                }
                mine.listDifferences(from: other, at: path.appending(name), in: &paths)
            }
        default: paths.append(path)
        }
    }
}

/// A journal as an erasure would leave it, or as it is without the snapshots that would be dropped.
private struct ErasureView: ReadableJournal {
    let base: any ReadableJournal
    let plan: ErasurePlan
    let isErased: Bool
    private let erased: [CommitVersion: JournalEntry]

    init(base: any ReadableJournal, plan: ErasurePlan, isErased: Bool) {
        self.base = base
        self.plan = plan
        self.isErased = isErased
        erased = Dictionary(
            (isErased ? plan.entries : []).map { ($0.version, $0) }, uniquingKeysWith: { $1 })
    }

    func lastPosition() async throws(JournalError) -> JournalPosition { plan.end }

    func entries(from version: CommitVersion, limit: Int) async throws(JournalError)
        -> [JournalEntry]
    {
        try await base.entries(from: version, limit: limit).map { erased[$0.version] ?? $0 }
    }

    func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot? {
        var version = version
        while let snapshot = try await base.snapshot(at: version), snapshot.version <= version {
            guard plan.drops(snapshot.version) else {
                let erased = plan.snapshots.first { $0.version == snapshot.version }
                return isErased ? erased ?? snapshot : snapshot
            }
            guard snapshot.version > 0 else { return nil }
            version = snapshot.version - 1
        }
        return nil
    }
}
