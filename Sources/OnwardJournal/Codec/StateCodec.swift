// SPDX-License-Identifier: MIT

public import Onward

/// Writes states for snapshots and reads them back, including old ones.
public struct StateCodec<State: Codable & Sendable>: Sendable {
    /// How states are written.
    public let format: DataFormat
    /// How old states are migrated to the current schema version.
    public let migrations: Migrations
    /// How much of a state is read and written.
    public var limits: DataLimits

    /// A codec for a type of state.
    public init(
        format: DataFormat = .cbor, migrations: Migrations = Migrations(),
        limits: DataLimits = DataLimits(bytes: 256 << 20, depth: 128, elements: 50_000_000)
    ) {
        self.format = format
        self.migrations = migrations
        self.limits = limits
    }

    /// Encodes a state for a journal.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - version: The last entry that it includes.
    ///   - fingerprint: The features that made the state.
    /// - Returns: The state with what is needed to read it again.
    /// - Throws: ``JournalError/Code/invalid`` with the error that the state's `encode(to:)` threw,
    ///   or for a state beyond the limits, which could not be read again.
    /// - Complexity: O(size of the state).
    public func encode(
        _ state: State, at version: CommitVersion, by fingerprint: FeatureFingerprint
    ) throws(JournalError) -> JournalSnapshot {
        let payload: [UInt8]
        do {
            payload = try DataEncoder.encode(state, forJournal: true) {
                try format.bytes(of: $0, at: FlatValue.root, within: limits)
            }
        } catch {
            throw unwritable(error, at: version)
        }
        return JournalSnapshot(
            version: version, schema: schemaVersion(of: State.self), fingerprint: fingerprint,
            payload: payload)
    }

    /// Encodes a state as a value.
    ///
    /// - Throws: ``JournalError/Code/invalid``.
    func value(of state: State, at version: CommitVersion) throws(JournalError) -> DataValue {
        do {
            return try DataEncoder.encode(state, forJournal: true) { $0.value() }
        } catch {
            throw unwritable(error, at: version)
        }
    }

    /// Whether two states are encoded differently.
    func distinguishes(_ state: State, _ other: State) throws(JournalError) -> Bool {
        do {
            return try DataValue(encoding: state) != DataValue(encoding: other)
        } catch {
            throw unwritable(error, at: 0)
        }
    }

    private func bytes(of value: DataValue, at version: CommitVersion) throws(JournalError)
        -> [UInt8]
    {
        do {
            return try format.bytes(of: value, within: limits)
        } catch {
            throw unwritable(error, at: version)
        }
    }

    private func unwritable(_ error: any Error, at version: CommitVersion) -> JournalError {
        JournalError(
            .invalid, version: version,
            "\(State.self) cannot be encoded: \(ActionCodec.reason(error)).")
    }

    func newer(_ snapshot: JournalSnapshot) -> JournalError {
        JournalError(
            .newer, version: snapshot.version,
            """
            The snapshot at version \(snapshot.version) was made by a newer version of this program: it has schema \
            version \(snapshot.schema), the type \(State.self) has \(schemaVersion(of: State.self)). Nothing was \
            changed. Open the journal with the newer program.
            """)
    }

    /// Decodes the state of a snapshot.
    ///
    /// - Throws: ``JournalError/Code/unreadable``, naming the reason and how to fix it.
    /// - Complexity: O(size of the state).
    public func decode(_ snapshot: JournalSnapshot) throws(JournalError) -> State {
        let what = "The snapshot at version \(snapshot.version)"
        return try state(
            of: read(snapshot.payload, what, at: snapshot.version), schema: snapshot.schema, what,
            at: snapshot.version)
    }
}

// MARK: - Installed states

extension StateCodec {
    /// Creates the entry of an install.
    ///
    /// - Throws: ``JournalError/Code/invalid`` for a state beyond the limits.
    func entry(
        installing installed: InstalledState, as version: CommitVersion, id: EntryID, name: String,
        parent: CommitVersion? = nil, origin: ActionOrigin = ActionOrigin(), time: Timestamp?
    ) throws(JournalError) -> JournalEntry {
        JournalEntry(
            version: version, id: id, kind: .install, name: name,
            schema: schemaVersion(of: State.self),
            payload: try bytes(of: installed.value, at: version), parent: parent, origin: origin,
            time: time)
    }

    /// What an install says about its state.
    ///
    /// - Throws: ``JournalError/Code/unreadable``.
    func installed(by install: JournalEntry) throws(JournalError) -> InstalledState {
        let what = "The state that entry \(install.version) installed"
        let value = try read(install.payload, what, at: install.version)
        guard let installed = InstalledState(value.value()) else {
            throw unreadable(
                what, "its payload is none that a recorder writes.", at: install.version)
        }
        return installed
    }

    /// The earlier version that an install shows again; nil if the journal keeps the state itself.
    ///
    /// - Throws: ``JournalError/Code/unreadable``.
    package func shown(by install: JournalEntry) throws(JournalError) -> CommitVersion? {
        guard let shown = try installed(by: install).shown else { return nil }
        guard shown < install.version else {
            throw unreadable(
                "The state that entry \(install.version) installed",
                "it is to be that of version \(shown), which is not an earlier one.",
                at: install.version)
        }
        return shown
    }

    /// The state of an install that holds the state itself, or its difference from an earlier one.
    ///
    /// - Parameters:
    ///   - install: An install that doesn't refer to a version.
    ///   - journal: The journal with the earlier install.
    /// - Returns: The state.
    /// - Throws: ``JournalError/Code/unreadable``; what the journal throws.
    package func state(
        of install: JournalEntry, in journal: some ReadableJournal
    ) async throws(JournalError) -> State {
        let what = "The state that entry \(install.version) installed"
        switch try installed(by: install) {
        case .state(let value, _):
            return try state(
                of: FlatValue(value, texts: format.texts), schema: install.schema, what,
                at: install.version)
        case .difference(let difference, let base):
            let entry =
                base < install.version && base > 0
                ? try await journal.entries(from: base, limit: 1).first : nil
            guard let entry, entry.version == base, entry.kind == .install,
                case .state(let old, _) = try installed(by: entry), entry.schema == install.schema,
                let value = difference.applied(to: old)
            else {
                throw unreadable(
                    what, "it differs from one that entry \(base) should have.", at: install.version
                )
            }
            return try state(
                of: FlatValue(value, texts: format.texts), schema: install.schema, what,
                at: install.version)
        case .shown(let version):
            throw unreadable(what, "it is that of version \(version).", at: install.version)
        }
    }

    private func unreadable(_ what: String, _ reason: String, at version: CommitVersion)
        -> JournalError
    {
        JournalError(.unreadable, version: version, "\(what) cannot be decoded: \(reason)")
    }

    private func read(
        _ payload: [UInt8], _ what: String, at version: CommitVersion
    ) throws(JournalError) -> FlatValue {
        let flat = FlatValue()
        do {
            try format.read(payload, into: flat, at: FlatValue.root, limits)
            return flat
        } catch {
            throw unreadable(what, "\(ActionCodec.reason(error)).", at: version)
        }
    }

    private func state(
        of flat: FlatValue, schema recorded: Int, _ what: String, at version: CommitVersion
    ) throws(JournalError) -> State {
        let schema = schemaVersion(of: State.self)
        guard recorded <= schema else {
            throw unreadable(
                what,
                """
                it has schema version \(recorded), the type \(State.self) has \(schema). Read it \
                with the newer program that wrote it.
                """, at: version)
        }
        do {
            if recorded == schema { return try DataDecoder(flat).read(State.self) }
            let present = try migrations.apply(to: flat.value(), from: recorded, to: schema)
            guard let present else {
                throw unreadable(
                    what,
                    """
                    a migration of the state is missing on the way from schema version \
                    \(recorded) to \(schema). Add it to Migrations.
                    """, at: version)
            }
            return try present.decoded(as: State.self)
        } catch let error as JournalError {
            throw error
        } catch {
            throw unreadable(what, "\(ActionCodec.reason(error)).", at: version)
        }
    }
}
