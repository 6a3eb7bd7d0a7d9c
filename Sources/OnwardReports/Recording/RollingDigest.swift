// SPDX-License-Identifier: MIT

public import Onward
internal import OnwardJournal

/// A digest of a state that is cheap to keep up to date: it costs what has changed in tables, plus
/// the size of everything else.
///
/// A recorder writes one into the log now and then. Anything that folds the log, such as a replica
/// or a restored store, computes the digest from its own state, and notices at once if it has
/// diverged:
///
/// ```swift
/// let digest = RollingDigest<Shop>(every: 100).table(\.products).value(\.basket)
/// let recorder = try SessionRecorder(store, at: folder, alarm: digest)
/// ```
///
/// The order of the rows of a table is not part of the digest.
public struct RollingDigest<State: Sendable>: Sendable {
    /// The number of entries after which a digest is written.
    public let spacing: Int
    private var parts: [any DigestPart<State>] = []

    /// Creates a digest that includes nothing yet.
    ///
    /// - Parameter spacing: The number of entries after which a recorder writes a digest.
    public init(every spacing: Int = 100) { self.spacing = max(spacing, 1) }

    /// Includes the rows of a table.
    public func table<Row: Identifiable & Encodable & Sendable>(
        _ path: any KeyPath<State, EntityTable<Row>> & Sendable
    ) -> RollingDigest where Row.ID: Sendable {
        var digest = self
        digest.parts.append(TablePart(path: path))
        return digest
    }

    /// Includes a value.
    public func value<Value: Encodable & Sendable>(
        _ path: any KeyPath<State, Value> & Sendable
    ) -> RollingDigest {
        var digest = self
        digest.parts.append(ValuePart(path: path))
        return digest
    }

    /// The digest of a state: the same number for equal states, whatever states were digested
    /// before.
    ///
    /// - Complexity: O(rows that were changed since the state of the last call, and the size of the
    ///   included values); O(size of the state) the first time, and if a table does not know what
    ///   has changed.
    public mutating func digest(of state: State) -> UInt64 {
        var sum: UInt64 = 0
        for index in parts.indices {
            sum = sum &* 0x100_0000_01B3 &+ parts[index].digest(of: state)
        }
        return sum
    }
}

/// A part of a digest, which remembers what it saw last.
private protocol DigestPart<State>: Sendable {
    associatedtype State
    mutating func digest(of state: State) -> UInt64
}

private struct ValuePart<State, Value: Encodable & Sendable>: DigestPart {
    let path: any KeyPath<State, Value> & Sendable

    func digest(of state: State) -> UInt64 { RowHash.of(state[keyPath: path]) }
}

/// The sum of the hashes of rows, from which changed rows can be removed.
private struct TablePart<State, Row: Identifiable & Encodable & Sendable>: DigestPart
where Row.ID: Sendable {
    let path: any KeyPath<State, EntityTable<Row>> & Sendable
    private var mark: EntityMark?
    private var hashes: [Row.ID: UInt64] = [:]
    private var sum: UInt64 = 0

    init(path: any KeyPath<State, EntityTable<Row>> & Sendable) { self.path = path }

    mutating func digest(of state: State) -> UInt64 {
        let table = state[keyPath: path]
        var touched: [Row.ID] = []
        if let mark, table.forEachTouched(since: mark, { touched.append($0) }) {
            for id in touched { update(id, table[id: id]) }
        } else {
            (hashes, sum) = ([:], 0)
            for row in table { update(row.id, row) }
        }
        mark = table.mark
        return sum
    }

    private mutating func update(_ id: Row.ID, _ row: Row?) {
        let new = row.map { RowHash.of($0) }
        sum = sum &- (hashes[id] ?? 0) &+ (new ?? 0)
        hashes[id] = new
    }
}

private enum RowHash {
    /// A hash of an encoded value; what can't be encoded has none.
    static func of(_ value: some Encodable) -> UInt64 {
        (try? DataValue(revealing: value))?.hash ?? 0
    }
}

extension Report {
    /// Returns the first version at which a fold of the report leads to a different state than the
    /// alarm noted; nil if there is none.
    ///
    /// - Parameters:
    ///   - feature: The features; only their reducers run.
    ///   - digest: The digest that the recorder was given.
    /// - Returns: The version.
    /// - Throws: ``ReportError/Code/unreadable``.
    /// - Complexity: O(entries + what changed in them).
    public func firstAlarm<State: Codable & Sendable>(
        in feature: some Part<State>, by digest: RollingDigest<State>
    ) throws(ReportError) -> CommitVersion? {
        let first = try StateCodec<State>().start(of: self)
        let store = Store.folding(feature, from: first)
        let (start, entries) = try decoded(by: store)
        var (state, digest) = (start, digest)
        for entry in entries {
            state = store.log.replay(CollectionOfOne(entry), from: state)
            guard let expected = alarms[entry.version] else { continue }
            if digest.digest(of: state) != expected { return entry.version }
        }
        return nil
    }
}
