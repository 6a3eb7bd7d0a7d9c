// SPDX-License-Identifier: MIT
#if Server

internal import Onward

/// The models of a list's rows.
///
/// Their type is known inside, so comparing two lists costs one cast, not one per row.
protocol RowModels: Sendable {
    var count: Int { get }
    /// The model of a row, for its template.
    func model(at index: Int) -> any Sendable
    /// The name of a row in the document.
    func key(at index: Int) -> String
    /// The id of a row as an address has it, behind the "#".
    func id(at index: Int) -> String
    /// Where each row was in an older list; nil if that had rows of another type.
    ///
    /// - Complexity: O(*n*).
    func origins(in older: any RowModels) -> [RowOrigin]?
}

/// What an older list knows about a row.
struct RowOrigin: Sendable {
    /// Where it was; nil for a new row.
    let index: Int?
    /// Whether its model is the same.
    let isEqual: Bool
    /// Whether the row had another id.
    var isRenamed = false
}

struct TypedRowModels<Row: Identifiable & Equatable & Sendable>: RowModels
where Row.ID: Sendable {
    let models: [Row]
    /// The changes of the table that they were made of; nil if they were made of something else.
    let log: ChangeLog<Row.ID>?

    var count: Int { models.count }

    func model(at index: Int) -> any Sendable { models[index] }

    func key(at index: Int) -> String { RowName.encode(RowKey(models[index].id).text) }

    func id(at index: Int) -> String {
        String(Address([.row(RowKey(models[index].id))]).description.dropFirst())
    }

    func origins(in older: any RowModels) -> [RowOrigin]? {
        guard let olderRows = older as? Self else { return nil }
        let older = olderRows.models
        let renamed = log.flatMap { log in olderRows.log.map { log.renamed(since: $0) } } ?? [:]
        let former = Dictionary(renamed.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        // Most rows come after the same row as before; the others are looked up.
        lazy var indices = Dictionary(
            older.indices.map { (older[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        var next = 0
        return models.map { model in
            let id = former.isEmpty ? model.id : former[model.id] ?? model.id
            let isNext = next < older.count && older[next].id == id
            let isOther = !renamed.isEmpty && former[model.id] == nil && renamed[id] != nil
            guard !isOther, let index = isNext ? next : indices[id] else {
                return RowOrigin(index: nil, isEqual: false)
            }
            next = index + 1
            let isRenamed = id != model.id
            return RowOrigin(
                index: index, isEqual: !isRenamed && older[index] == model, isRenamed: isRenamed)
        }
    }
}

/// A row's id as it appears in HTML, JSON and selectors, where it needs no escaping.
enum RowName {
    /// Encodes all but ASCII letters, digits and `-_.` as `%` and the hexadecimal digits of their
    /// UTF-8; different texts stay different.
    static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isPlain) { return text }
        var key = ""
        for byte in text.utf8 {
            if isPlain(byte) {
                key.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                key += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return key
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
#endif
