// SPDX-License-Identifier: MIT

public import Onward
internal import OnwardJournal

/// What clients may see of a server's state: slices that everybody sees, and rows that their readers see.
///
/// ```swift
/// var view = SyncView<App>()
/// view.show(\.title, as: "title")
/// view.showRows(of: \.items, as: "items") { [$0.owner] }
/// view.showRows(of: \.lists, as: "lists", to: \.members)
/// view.showRows(of: \.notes, as: "notes", through: \.lists, by: \.list, to: \.members)
/// options.view = view
/// ```
///
/// A client's state has the same type. What the view doesn't show it is as in the state that the client
/// began with, and so are rows that others see. What becomes invisible is taken off the client, also off
/// its disk. A server sends nothing else of its state, and no entries: those who may see a row get its
/// new value. Who a reader is, is the identity with which its client is connected.
///
/// Rows stand on a client in the order in which they became visible there.
public struct SyncView<State: Codable & Sendable>: Sendable {
    /// What a part remembers of the last state: by its name, whatever it needs.
    typealias Memory = [String: any Sendable]

    /// A slice or a table.
    private struct Part: Sendable {
        /// What has changed since an older state, of which it may remember something; everything without one.
        let changes:
            @Sendable (_ older: State?, _ state: State, _ memory: inout Memory) throws ->
                [ViewChange]
        let apply: @Sendable (_ change: SyncChange, _ state: inout State) throws -> Void
    }

    private var parts: [String: Part] = [:]
    private var names: [String] = []

    /// Creates a view that shows nothing.
    public init() {}

    /// Shows a slice to every client.
    ///
    /// - Parameters:
    ///   - path: The slice.
    ///   - name: What it is called between server and client; another part of the same name is replaced.
    public mutating func show<Slice: Codable & Equatable & Sendable>(
        _ path: any WritableKeyPath<State, Slice> & Sendable, as name: String
    ) {
        add(name) { older, state, _ in
            let slice = state[keyPath: path]
            if let older, older[keyPath: path] == slice { return [] }
            let change = SyncChange(part: name, value: try Self.bytes(of: slice))
            return [ViewChange(change, before: .everybody, after: .everybody)]
        } apply: { change, state in
            guard let value = change.value else { return }
            state[keyPath: path] = try Self.value(of: value)
        }
    }

    /// Shows the rows of a table to those whom each row names.
    ///
    /// What a commit costs grows with the rows that it has changed and the readers of each, however
    /// many rows and clients there are.
    ///
    /// - Parameters:
    ///   - path: The table.
    ///   - name: What it is called between server and client; another part of the same name is replaced.
    ///   - readers: The identities of those who may see a row; called for the old and the new row
    ///     whenever one has changed.
    public mutating func showRows<Row, Names: Sequence<String>>(
        of path: any WritableKeyPath<State, EntityTable<Row>> & Sendable, as name: String,
        to readers: @escaping @Sendable (_ row: Row) -> Names
    ) where Row: Codable & Equatable & Sendable, Row.ID: Codable & Sendable {
        add(name) { older, state, _ in
            let table = state[keyPath: path]
            func change(_ id: Row.ID, from old: Row?) throws -> ViewChange {
                let row = table[id: id]
                let change = SyncChange(
                    part: name, row: try Self.bytes(of: id), value: try row.map(Self.bytes))
                return ViewChange(
                    change, before: .some(old.map { Set(readers($0)) } ?? []),
                    after: .some(row.map { Set(readers($0)) } ?? []))
            }
            guard let older else { return try table.ids.map { try change($0, from: nil) } }
            let old = older[keyPath: path]
            return try Self.changed(in: table, since: old).map { try change($0, from: old[id: $0]) }
        } apply: { change, state in
            try Self.apply(change, to: &state[keyPath: path])
        }
    }

    /// Shows the rows of a table to those whom a row of another table names, such as notes to the members of
    /// their list.
    ///
    /// What a commit costs grows with the rows that it has changed, with those whose readers it has changed, and
    /// with the readers of each, however many rows and clients there are. The server keeps which rows belong to
    /// which; the first commit goes through the table once.
    ///
    /// ```swift
    /// view.showRows(of: \.notes, as: "notes", through: \.lists, by: \.list, to: \.members)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The table.
    ///   - name: What it is called between server and client; another part of the same name is replaced.
    ///   - owners: The other table. It is not shown by this.
    ///   - key: The id of the row there that a row belongs to; nobody sees one that belongs to none.
    ///   - readers: The identities of those who may see what belongs to a row there.
    public mutating func showRows<Row, Owner, Names: Sequence<String>>(
        of path: any WritableKeyPath<State, EntityTable<Row>> & Sendable, as name: String,
        through owners: any KeyPath<State, EntityTable<Owner>> & Sendable,
        by key: @escaping @Sendable (_ row: Row) -> Owner.ID?,
        to readers: @escaping @Sendable (_ owner: Owner) -> Names
    )
    where
        Row: Codable & Equatable & Sendable, Row.ID: Codable & Sendable, Owner: Sendable,
        Owner.ID: Sendable
    {
        add(name) { older, state, memory in
            let (table, all) = (state[keyPath: path], state[keyPath: owners])
            func names(_ owner: Owner?) -> Set<String> { owner.map { Set(readers($0)) } ?? [] }
            func names(_ row: Row?, in owners: EntityTable<Owner>) -> Set<String> {
                names(row.flatMap(key).flatMap { owners[id: $0] })
            }
            func change(
                _ id: Row.ID, from old: Row?, in oldOwners: EntityTable<Owner>
            ) throws -> ViewChange {
                let row = table[id: id]
                let change = SyncChange(
                    part: name, row: try Self.bytes(of: id), value: try row.map(Self.bytes))
                return ViewChange(
                    change, before: .some(names(old, in: oldOwners)),
                    after: .some(names(row, in: all)))
            }
            guard let older else { return try table.ids.map { try change($0, from: nil, in: all) } }
            let (old, oldOwners) = (older[keyPath: path], older[keyPath: owners])
            var rowsByOwner =
                memory.removeValue(forKey: name) as? RowsByOwner<Owner.ID, Row.ID>
                ?? RowsByOwner(old.map { ($0.id, key($0)) })
            let changed = Self.changed(in: table, since: old)
            for id in changed {
                rowsByOwner.move(id, from: old[id: id].flatMap(key), to: table[id: id].flatMap(key))
            }
            var seen = Set(changed)
            let shared = Self.changed(in: all, since: oldOwners)
                .filter { names(oldOwners[id: $0]) != names(all[id: $0]) }
                .flatMap { rowsByOwner[$0].filter { seen.insert($0).inserted } }
                .map { (id: $0, position: table.index(id: $0) ?? 0) }
                .sorted { $0.position < $1.position }.map(\.id)
            memory[name] = rowsByOwner
            return try (changed + shared).map { try change($0, from: old[id: $0], in: oldOwners) }
        } apply: { change, state in
            try Self.apply(change, to: &state[keyPath: path])
        }
    }

    /// The ids of rows that differ from an older table: first those that are gone, new ones in their order.
    private static func changed<Row>(
        in table: EntityTable<Row>, since old: EntityTable<Row>
    ) -> [Row.ID] {
        // A row that was renamed is among those that are gone, and among the new ones.
        let changes = table.changes(since: old)
        return changes.removed + changes.updated + changes.inserted
    }

    private static func apply<Row: Decodable>(
        _ change: SyncChange, to table: inout EntityTable<Row>
    ) throws where Row.ID: Decodable {
        guard let row = change.row else { return }
        let id: Row.ID = try value(of: row)
        guard let value = change.value else {
            table.remove(id: id)
            return
        }
        _ = table.upsert(contentsOf: [try Self.value(of: value) as Row])
    }

    private mutating func add(
        _ name: String,
        _ changes: @escaping @Sendable (State?, State, inout Memory) throws -> [ViewChange],
        apply: @escaping @Sendable (SyncChange, inout State) throws -> Void
    ) {
        if parts[name] == nil { names.append(name) }
        parts[name] = Part(changes: changes, apply: apply)
    }

    /// Everything that somebody may see; nil if it can't be encoded.
    func everything(in state: State) -> [ViewChange]? {
        var memory: Memory = [:]
        return try? names.flatMap { try parts[$0]?.changes(nil, state, &memory) ?? [] }
    }

    /// What has changed since an older state; nil if it can't be encoded.
    ///
    /// The memory is what the parts remember of the older state, then of the state.
    func changes(from older: State, to state: State, _ memory: inout Memory) -> [ViewChange]? {
        do {
            return try names.flatMap { try parts[$0]?.changes(older, state, &memory) ?? [] }
        } catch {
            // Some may be of one state, some of the other.
            memory = [:]
            return nil
        }
    }

    /// Takes over what a server has sent.
    ///
    /// - Returns: False if a change can't be read, as it is of a view with other parts.
    func apply(_ changes: [SyncChange], to state: inout State) -> Bool {
        for change in changes {
            guard let part = parts[change.part] else { return false }
            do { try part.apply(change, &state) } catch { return false }
        }
        return true
    }

    private static func bytes(of value: some Encodable) throws -> [UInt8] {
        DataFormat.cbor.bytes(of: try DataValue(encoding: value))
    }

    private static func value<Value: Decodable>(of bytes: [UInt8]) throws -> Value {
        let limits = DataLimits(bytes: max(bytes.count, 1), depth: 64, elements: 10_000_000)
        return try DataFormat.cbor.value(of: bytes, limits: limits).decoded()
    }
}
