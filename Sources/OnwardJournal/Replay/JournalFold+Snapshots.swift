// SPDX-License-Identifier: MIT

internal import Onward

/// Who made the snapshot with which a computation began, or would have begun.
enum SnapshotOrigin: Sendable, Hashable {
    /// The present features, as far as anyone can tell.
    case same
    /// Other features, whose states the present ones reach as well.
    case confirmed(FeatureFingerprint)
    /// Other reducers: the entries were run again from an earlier point.
    case replaced(FeatureFingerprint, first: CommitVersion)
    /// Other reducers, and the entries that led to it are gone or can't be read any more.
    case kept(FeatureFingerprint)
}

extension JournalFold {
    /// Where to begin for a state at a version: the last point that the present reducers may have
    /// made.
    ///
    /// Problem: a snapshot has what old reducers made of the entries before it, and present ones
    /// run the entries after it. If these differ, the state is neither's. Reducers can't be
    /// compared, and a program that changes them may forget to declare a new revision.
    ///
    /// Strategy: a snapshot of the same fingerprint is compared with what the present reducers make
    /// of the entries between the one before it and itself; one of another fingerprint, with what
    /// they make of all entries since the last point of theirs. If that is the same state, it is
    /// used. If not, the entries are run again from the last point for which it is, or from the
    /// first entry on. Where entries are gone, the snapshot is used, and that is reported.
    func beginning(
        at version: CommitVersion, _ progress: @Sendable (CommitVersion) -> Void = { _ in }
    ) async throws(JournalError) -> Found {
        var newest = try await newestState(at: version)
        guard let snapshot = newest.snapshot, snapshot.version > 0 else { return newest }
        let recorded = snapshot.fingerprint
        let isSame = recorded == codec.fingerprint
        if isSame {
            let before = await attempt { () async throws(JournalError) in
                try await newestState(at: snapshot.version - 1)
            }
            guard let made = await state(at: snapshot.version, from: before) else { return newest }
            if try codec.states.agree(made.state, newest.state) { return newest }
        }
        let point = await attempt { () async throws(JournalError) in
            try await beginning(at: snapshot.version - 1)
        }
        guard let point, !point.origin.isKept,
            var made = await state(at: snapshot.version, from: point, progress)
        else {
            newest.origin = .kept(recorded)
            return newest
        }
        made.passed = newest.passed
        if try codec.states.agree(made.state, newest.state) {
            newest.origin = isSame ? .same : .confirmed(recorded)
            return newest
        }
        // Runs from the snapshot's version on.
        return Found(
            state: made.state, snapshot: snapshot, passed: newest.passed,
            origin: .replaced(recorded, first: point.origin.first ?? point.first))
    }

    /// What present reducers make of the entries between a point and a version; nil if not all of
    /// them are there and can be read.
    private func state(
        at version: CommitVersion, from point: Found?,
        _ progress: @Sendable (CommitVersion) -> Void = { _ in }
    ) async -> Found? {
        guard let point else { return nil }
        var fold = self
        fold.whenUnreadable = .fail
        fold.trustsSnapshots = true
        let strict = fold
        return await attempt { () async throws(JournalError) in
            try await strict.run(point, to: version, progress: progress)
        }
    }

    /// A result, or nil for what can't be read any more.
    private func attempt<Value>(
        _ body: () async throws(JournalError) -> Value
    ) async -> Value? {
        do {
            return try await body()
        } catch {
            return nil
        }
    }
}

extension SnapshotOrigin {
    /// The first entry that was run, if it was one before the snapshot.
    fileprivate var first: CommitVersion? {
        if case .replaced(_, let first) = self { first } else { nil }
    }

    fileprivate var isKept: Bool {
        if case .kept = self { true } else { false }
    }
}

extension StateCodec {
    /// Whether two states are the same, whatever the order of their sets and dictionaries.
    func agree(_ state: State, _ other: State) throws(JournalError) -> Bool {
        let (value, expected) = (try self.value(of: state, at: 0), try self.value(of: other, at: 0))
        if value.firstDifference(from: expected) == nil { return true }
        // What isn't encoded doesn't count.
        if let copy = try? value.decoded(as: State.self) as? any Equatable {
            return copy.isEqual(to: other)
        }
        return value.unordered == expected.unordered
    }
}

extension Equatable {
    fileprivate func isEqual(to other: any Sendable) -> Bool { (other as? Self) == self }
}

extension DataValue {
    /// The value with each list in an order of its own, as the elements of a set are in any.
    fileprivate var unordered: DataValue {
        switch self {
        case .list(let values):
            .list(
                values.map(\.unordered).map { ($0, DataFormat.cbor.bytes(of: $0)) }
                    .sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0))
        case .object(let fields): .object(fields.mapValues(\.unordered))
        default: self
        }
    }
}
