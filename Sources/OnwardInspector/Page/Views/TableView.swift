// SPDX-License-Identifier: MIT
#if Server

internal import OnwardInspection
internal import OnwardJournal

/// A part of the state as tables: one per list or object of objects, with a column per field.
struct TableView: Equatable, Sendable {
    struct Row: Equatable, Sendable {
        let name: String
        let url: String
        let cells: [String]
    }
    struct Table: Equatable, Sendable {
        let name: String
        let columns: [String]
        let rows: [Row]
        /// How many more rows there are; nil if there are none.
        let rest: Int?
        let url: String
    }

    /// The maximum number of tables, and of rows in one.
    private static let (mostTables, mostRows) = (10, 100)

    private(set) var tables: [Table] = []
    let isEmpty: Bool

    /// The part itself if it is a table, otherwise those right below it.
    ///
    /// - Parameters:
    ///   - node: The part.
    ///   - look: Returns a part at the same moment, from its first element on.
    ///   - url: The page of a part.
    init(
        _ node: StateNode, look: (_ path: DataPath, _ limit: Int) -> StateNode?,
        url: (DataPath) -> String
    ) {
        var found = Table(node, url: url).map { [$0] } ?? []
        if found.isEmpty {
            for part in node.parts where part.kind != .value && found.count < Self.mostTables {
                guard let part = look(part.path, Self.mostRows) else { continue }
                if let table = Table(part, url: url) { found.append(table) }
            }
        }
        tables = found
        isEmpty = found.isEmpty
    }
}

extension TableView.Table {
    /// Nil for a part whose elements aren't all objects.
    fileprivate init?(_ node: StateNode, url: (DataPath) -> String) {
        guard !node.parts.isEmpty, node.parts.allSatisfy({ $0.kind == .object }) else { return nil }
        var columns: [String] = []
        for field in node.parts.flatMap(\.parts) where !columns.contains(field.step) {
            columns.append(field.step)
        }
        guard !columns.isEmpty else { return nil }
        let rest = node.count - node.first - node.parts.count
        self.init(
            name: node.path.isEmpty ? "State" : "\(node.path)", columns: columns,
            rows: node.parts.map { row in
                let texts = Dictionary(
                    row.parts.map { ($0.step, $0.text) }, uniquingKeysWith: { first, _ in first })
                return TableView.Row(
                    name: row.step, url: url(row.path), cells: columns.map { texts[$0] ?? "" })
            },
            rest: rest > 0 ? rest : nil, url: url(node.path))
    }
}
#endif
