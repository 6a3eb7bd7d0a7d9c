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
    /// A slice or a table.
    private struct Part: Sendable {
        /// What has changed since an older state; everything without one.
        let changes: @Sendable (_ older: State?, _ state: State) throws -> [ViewChange]
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
        add(name) { older, state in
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
        add(name) { older, state in
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
            let changes = table.changes(since: old)
            let gone = changes.removed + changes.renamed.keys
            let new = (changes.inserted + changes.renamed.values)
                .map { (id: $0, position: table.index(id: $0) ?? 0) }
                .sorted { $0.position < $1.position }.map(\.id)
            return try (gone + changes.updated + new).map { try change($0, from: old[id: $0]) }
        } apply: { change, state in
            guard let row = change.row else { return }
            let id: Row.ID = try Self.value(of: row)
            guard let value = change.value else {
                state[keyPath: path].remove(id: id)
                return
            }
            _ = state[keyPath: path].upsert(contentsOf: [try Self.value(of: value) as Row])
        }
    }

    private mutating func add(
        _ name: String, _ changes: @escaping @Sendable (State?, State) throws -> [ViewChange],
        apply: @escaping @Sendable (SyncChange, inout State) throws -> Void
    ) {
        if parts[name] == nil { names.append(name) }
        parts[name] = Part(changes: changes, apply: apply)
    }

    /// What has changed since an older state, or everything; nil if it can't be encoded.
    func changes(from older: State?, to state: State) -> [ViewChange]? {
        try? names.flatMap { try parts[$0]?.changes(older, state) ?? [] }
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
