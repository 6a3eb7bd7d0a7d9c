// SPDX-License-Identifier: MIT

public import Onward

extension Journal {
    /// Removes data from the log.
    ///
    /// Entries that lose something get the kind ``JournalEntry/Kind/erased`` and keep their
    /// version. Snapshots that include one of them are dropped, except the one that stands for
    /// truncated entries; those that are kept lose it, too.
    ///
    /// All of it is put in place at once, or nothing: an erasure is refused if two fields, two
    /// elements of a list with a field `id`, or the rows of two addresses would become one. Only
    /// ``erase(_:startingWith:by:_:progress:)``, which has the features, knows whether what is left
    /// can be restored; prefer it.
    ///
    /// Erase only while no recorder writes to the journal: a recorder writes differences from
    /// states that it has in memory.
    ///
    /// An erasure can't reach anything outside this journal: backups, exports, session reports,
    /// other replicas, or a store with the data in memory.
    ///
    /// - Parameters:
    ///   - erasure: What to remove.
    ///   - format: How payloads are written.
    ///   - progress: Called with the version of the last entry that was examined, and of the last
    ///     one in the journal.
    /// - Returns: What was done.
    /// - Throws: ``ErasureError``: why the erasure was refused, or what the journal threw. With
    ///   ``ErasureError/Code/remains`` and a version, the entries have lost it, and the files still
    ///   have it: call this again once nobody reads them.
    /// - Complexity: O(entries); memory for the entries that change.
    public func erase(
        _ erasure: Erasure, format: DataFormat = .cbor,
        progress: @Sendable (CommitVersion, CommitVersion) -> Void = { _, _ in }
    ) async throws(ErasureError) -> ErasureReport {
        try erasure.check()
        let plan = try await ErasurePlan(of: self, erasure, format, progress: progress)
        return try await put(plan, erasure, differences: [])
    }

    /// Removes data from the log, if a store can be restored from what is left.
    ///
    /// Beyond what ``erase(_:format:progress:)`` does, the log is restored with the features as the
    /// erasure would leave it, and as it is. The erasure is refused if an entry or a state could no
    /// longer be decoded, or if an entry would no longer reach its row. Where the two states differ
    /// in more than the replacement, such as sums and orders, that is reported.
    ///
    /// ```swift
    /// let store = Store(Shop()) { shop }
    /// let report = try await journal.erase(
    ///     .replacing("ann@example.com", with: "person 7"), startingWith: Shop(), by: store,
    ///     JournalCodec(for: store))
    /// ```
    ///
    /// - Parameters:
    ///   - erasure: What to remove.
    ///   - initial: The state before the first entry.
    ///   - store: The store with the features; its own state is not touched.
    ///   - codec: How the journal is read.
    ///   - progress: Called with the version of the last entry that was examined, and of the last
    ///     one in the journal.
    /// - Returns: What was done, and what else changed in the state.
    /// - Throws: ``ErasureError``, as ``erase(_:format:progress:)``.
    /// - Complexity: O(size of the state + entries), run three times; memory for the entries that
    ///   change and for two states.
    public func erase<State: Codable & Sendable>(
        _ erasure: Erasure, startingWith initial: State, by store: Store<State>,
        _ codec: JournalCodec<State>,
        progress: @Sendable (CommitVersion, CommitVersion) -> Void = { _, _ in }
    ) async throws(ErasureError) -> ErasureReport {
        try erasure.check()
        let plan = try await ErasurePlan(
            of: self, erasure, codec.actions.format, progress: progress)
        let trial = ErasureTrial(
            journal: self, plan: plan, erasure: erasure, initial: initial, store: store,
            codec: codec)
        return try await put(plan, erasure, differences: plan.isEmpty ? [] : trial.run())
    }

    /// Puts what was planned in place.
    private func put(
        _ plan: ErasurePlan, _ erasure: Erasure, differences: [DataPath]
    ) async throws(ErasureError) -> ErasureReport {
        let mayRemain = !plan.partial.isEmpty
        if mayRemain, let version = plan.partial.first, erasure.replacement?.isInParts == true {
            throw ErasureError(
                .remains, version: version,
                """
                Version \(version) would still have what is to be erased: in the name of its action, in the place \
                in the source where it was dispatched, or in a form that isn't replaced. Take the entry out, with \
                an Erasure whose action returns nil.
                """)
        }
        let forms = erasure.replacement?.searchedForms ?? []
        let isStored = try await ErasureError.calling { () throws(JournalError) in
            let last = try await lastPosition()
            guard last == plan.end else { throw .conflict(expected: plan.end, true: last) }
            // Also where only the files have it, as after an erasure that a reader kept from ending.
            var isDue = !plan.isEmpty
            if !isDue, !mayRemain { isDue = try await stores(anyOf: forms) }
            if isDue { try await erase(plan.entries, plan.snapshots) }
            return mayRemain ? false : try await stores(anyOf: forms)
        }
        guard !isStored else {
            throw ErasureError(
                .remains, version: plan.end.version,
                """
                The entries and snapshots have lost what was erased, but the files of the journal still have it. \
                Have readers of the journal close it, and erase again.
                """)
        }
        return ErasureReport(
            versions: plan.entries.map(\.version), partial: plan.partial, differences: differences)
    }
}

extension Erasure {
    /// Throws for a replacement that could not be one.
    fileprivate func check() throws(ErasureError) {
        guard let replacement, replacement.isEndless else { return }
        throw ErasureError(
            .remains,
            """
            "\(replacement.text)" can't be erased: it is empty, or a part of its replacement, \
            "\(replacement.replacement)". Choose another replacement.
            """)
    }
}

extension TextReplacement {
    /// What files may be searched for: a shorter text occurs in them by chance.
    fileprivate var searchedForms: [[UInt8]] { forms.filter { $0.count >= 6 } }
}
