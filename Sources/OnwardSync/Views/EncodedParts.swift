// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// An encoded state in parts that can be sent one by one: its fields, and the rows of its tables.
///
/// A list whose elements all have an `id` of their own counts as a table: each row is a part, and so is their
/// order. Everything else is a part as a whole.
struct EncodedParts: Sendable {
    /// Where a part is.
    struct Place: Hashable, Sendable {
        /// The names of the fields on the way, each after a slash, as in a JSON pointer; for a table after "#".
        let path: String
        /// The id of a row in CBOR; nil for a field, and for the order of a table.
        var row: [UInt8]?
    }

    /// Fields within more fields than this are sent with those around them.
    private static var deepest: Int { 8 }

    private var parts: [Place: DataValue] = [:]

    /// - Complexity: O(size of the state).
    init(_ state: DataValue) { add(state, at: "", depth: 0) }

    /// The parts of a state in CBOR; nil if it is none.
    ///
    /// - Complexity: O(size of the state).
    init?(_ bytes: [UInt8]) {
        guard let state = Self.value(of: bytes) else { return nil }
        self.init(state)
    }

    /// Says with which schema version the parts were written: another program can't put them in its own.
    static func change(ofSchema schema: Int) -> SyncChange {
        let value = DataValue.integer(Int64(schema))
        return SyncChange(part: "schema", value: DataFormat.cbor.bytes(of: value))
    }

    private static func value(of bytes: [UInt8]) -> DataValue? {
        let limits = DataLimits(bytes: max(bytes.count, 1), depth: 128, elements: 50_000_000)
        return try? DataFormat.cbor.value(of: bytes, limits: limits)
    }

    private mutating func add(_ value: DataValue, at path: String, depth: Int) {
        if let fields = value.fields, !fields.isEmpty, depth < Self.deepest {
            for (name, value) in fields {
                add(value, at: "\(path)/\(Self.escaped(name))", depth: depth + 1)
            }
        } else if let rows = value.list, let ids = Self.ids(of: rows) {
            parts[Place(path: "#" + path)] = .list(ids.map { .bytes($0) })
            for (id, row) in zip(ids, rows) { parts[Place(path: "#" + path, row: id)] = row }
        } else {
            parts[Place(path: path)] = value
        }
    }

    /// The ids of the rows of a table; nil if a list is none.
    private static func ids(of rows: [DataValue]) -> [[UInt8]]? {
        var ids: [[UInt8]] = []
        for row in rows {
            guard let id = row["id"] else { return nil }
            ids.append(DataFormat.cbor.bytes(of: id))
        }
        return Set(ids).count == rows.count ? ids : nil
    }

    private static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1")
    }

    private static func name(_ escaped: Substring) -> String {
        String(escaped).replacing("~1", with: "/").replacing("~0", with: "~")
    }

    /// Where this differs from older parts.
    ///
    /// - Complexity: O(size of both).
    func places(differingFrom older: EncodedParts) -> Set<Place> {
        var places = Set(older.parts.keys.filter { parts[$0] == nil })
        for (place, value) in parts where older.parts[place] != value { places.insert(place) }
        return places
    }

    /// What is at a place, as it is sent.
    func change(at place: Place) -> SyncChange {
        SyncChange(
            part: place.path, row: place.row,
            value: parts[place].map { DataFormat.cbor.bytes(of: $0) })
    }

    /// Takes over parts of a newer state.
    ///
    /// - Returns: False if one can't be read.
    mutating func apply(_ changes: some Sequence<SyncChange>) -> Bool {
        for change in changes {
            let place = Place(path: change.part, row: change.row)
            guard let bytes = change.value else {
                parts[place] = nil
                continue
            }
            guard let value = Self.value(of: bytes) else { return false }
            parts[place] = value
        }
        return true
    }

    /// The whole state in CBOR; nil if a part is missing.
    ///
    /// - Complexity: O(size of the state).
    var bytes: [UInt8]? { value.map { DataFormat.cbor.bytes(of: $0) } }

    private var value: DataValue? {
        var root = Node()
        for (place, value) in parts where place.row == nil {
            guard place.path.hasPrefix("#") else {
                root.set(value, at: names(of: place.path[...]))
                continue
            }
            var rows: [DataValue] = []
            for id in value.list ?? [] {
                guard case .bytes(let id) = id, let row = parts[Place(path: place.path, row: id)]
                else { return nil }
                rows.append(row)
            }
            root.set(.list(rows), at: names(of: place.path.dropFirst()))
        }
        return root.value
    }

    private func names(of path: Substring) -> ArraySlice<String> {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { Self.name($0) }[...]
    }

    /// A field, with those in it.
    private struct Node {
        private var leaf: DataValue?
        private var fields: [String: Node] = [:]

        mutating func set(_ value: DataValue, at names: ArraySlice<String>) {
            guard let name = names.first else {
                leaf = value
                return
            }
            fields[name, default: Node()].set(value, at: names.dropFirst())
        }

        var value: DataValue { leaf ?? .object(fields.mapValues(\.value)) }
    }
}

/// What has changed in a server's state of late, for clients that get states but have most of them.
///
/// A client may have any state since the version that it is sent changes from: whatever was changed since
/// is sent, even if it is as before.
struct RecentChanges: Sendable {
    private static var most: Int { 256 }

    private var parts: EncodedParts?
    private var steps: [(version: UInt64, places: Set<EncodedParts.Place>)] = []
    /// The version before the first step, and the one after the last.
    private var start: UInt64 = 0
    private var version: UInt64?

    /// Notes the state of a version, which is no lower than that of any other; false if it can't be read.
    ///
    /// - Complexity: O(size of the state).
    mutating func note(_ state: [UInt8], at version: UInt64) -> Bool {
        if version == self.version { return true }
        guard let new = EncodedParts(state) else { return false }
        self.version = version
        if let parts {
            steps.append((version, new.places(differingFrom: parts)))
            if steps.count > Self.most { start = steps.removeFirst().version }
        } else {
            start = version
        }
        parts = new
        return true
    }

    /// What was changed since a version; nil if that isn't known.
    func changes(since version: UInt64) -> [SyncChange]? {
        guard let parts, version >= start else { return nil }
        let places = steps.reversed().prefix { $0.version > version }
            .reduce(into: Set<EncodedParts.Place>()) { $0.formUnion($1.places) }
        return places.map { parts.change(at: $0) }
    }
}
