// SPDX-License-Identifier: MIT

public import Onward

/// Writes states for snapshots and reads them again, old ones included.
public struct StateCodec<State: Codable & Sendable>: Sendable {
    /// How states are written.
    public let format: DataFormat
    /// How old states are brought to the present schema version.
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

    /// A state as a journal keeps it.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - version: The last entry that it includes.
    ///   - fingerprint: The features that made it.
    /// - Returns: The state with what is needed to read it again.
    /// - Throws: ``JournalError/Code/invalid`` with what the state's `encode(to:)` threw, or for a state
    ///   beyond the limits, which could not be read again.
    /// - Complexity: O(size of the state).
    public func encode(
        _ state: State, at version: Version, by fingerprint: FeatureFingerprint
    ) throws(JournalError) -> JournalSnapshot {
        do {
            return JournalSnapshot(
                version: version, schema: schemaVersion(of: State.self), fingerprint: fingerprint,
                payload: try format.bytes(
                    of: try DataValue(encoding: state), within: limits))
        } catch {
            throw JournalError(
                .invalid, version: version,
                "\(State.self) cannot be encoded: \(ActionCodec.reason(error)).")
        }
    }

    /// The state that an entry of the kind ``JournalEntry/Kind/install`` has installed.
    ///
    /// - Throws: ``JournalError/Code/unreadable``.
    package func decode(
        _ install: JournalEntry, by fingerprint: FeatureFingerprint
    ) throws(JournalError) -> State {
        try decode(
            JournalSnapshot(
                version: install.version, schema: install.schema, fingerprint: fingerprint,
                payload: install.payload))
    }

    /// The state of a snapshot.
    ///
    /// - Throws: ``JournalError/Code/unreadable`` that names the reason and how to fix it.
    /// - Complexity: O(size of the state).
    public func decode(_ snapshot: JournalSnapshot) throws(JournalError) -> State {
        func unreadable(_ reason: String) -> JournalError {
            JournalError(
                .unreadable, version: snapshot.version,
                "The snapshot at version \(snapshot.version) cannot be decoded: \(reason)")
        }
        let schema = schemaVersion(of: State.self)
        guard snapshot.schema <= schema else {
            throw unreadable(
                """
                it has schema version \(snapshot.schema), the type \(State.self) has \(schema). Read it \
                with the newer program that wrote it.
                """)
        }
        do {
            let value = try format.value(of: snapshot.payload, limits: limits)
            let present = try migrations.apply(to: value, from: snapshot.schema, to: schema)
            guard let present else {
                throw unreadable(
                    """
                    a migration of the state is missing on the way from schema version \
                    \(snapshot.schema) to \(schema). Add it to Migrations.
                    """)
            }
            return try present.decoded(as: State.self)
        } catch let error as JournalError {
            throw error
        } catch {
            throw unreadable("\(ActionCodec.reason(error)).")
        }
    }
}
