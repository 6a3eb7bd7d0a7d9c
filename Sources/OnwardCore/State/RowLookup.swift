// SPDX-License-Identifier: MIT

internal import EntityTables

/// How rows at one place of the state are found by the texts of their ids, without the rows' type.
package protocol RowLookup: Sendable {
    /// Where the collection of the rows is.
    var container: SliceLens { get }
    /// The type of the ids.
    var idType: any Any.Type { get }
    /// Whether ids have a coded form, and so can be recorded.
    var isCoded: Bool { get }

    /// The key of the id that is written so; nil where none is.
    ///
    /// Calls the coding of the id.
    func key(reading text: String) -> RowKey?

    /// The key of the row in a collection that a key names; nil where there is none.
    ///
    /// Calls the coding of the id, or the descriptions of all ids.
    func key(of key: RowKey, in rows: UnsafeRawPointer) -> RowKey?

    /// Whether a key names none of the rows because several have its text.
    func isShared(_ key: RowKey, in rows: UnsafeRawPointer) -> Bool
}

/// The lookup of a type of rows.
///
/// A text is read as an id, which is looked up by its hash; no row is compared with it. Only where
/// that leads to no row, and for ids without a coded form, are the rows' descriptions asked for:
/// those that earlier versions of this library recorded. All descriptions of a table are in one
/// index, which its change log keeps up to date.
final class TypedRowLookup<Rows: RowCollection & Sendable>: RowLookup
where Rows.Element: Sendable, Rows.Element.ID: Sendable {
    typealias ID = Rows.Element.ID

    let container: SliceLens
    private let reader = RowTextReader<ID>()
    private let tracking = RowTracking<Rows>()
    /// The descriptions of a table that was asked for last; nil while a thread has them.
    private let index = Guarded<RowDescriptions<ID>?>(nil)

    init(in container: SliceLens) { self.container = container }

    var idType: any Any.Type { ID.self }
    var isCoded: Bool { reader != nil }

    /// The id that a key has or that its text is read as, whether there is such a row or not.
    func id(_ key: RowKey) -> ID? {
        if let id = key.id(as: ID.self) { return id }
        return key.isReadable ? reader?.read(key.text, isOwn: key.isRecorded) : nil
    }

    /// The id of the row that has the text of a key as its description, where that counts.
    func describedID(_ key: RowKey, in rows: UnsafePointer<Rows>) -> ID? {
        described(key, in: rows)?.only
    }

    func key(reading text: String) -> RowKey? { reader?.read(text).map { RowKey($0) } }

    func key(of key: RowKey, in rows: UnsafeRawPointer) -> RowKey? {
        let rows = rows.assumingMemoryBound(to: Rows.self)
        if let id = id(key), let row = rows.pointee[id: id] { return RowKey(row.id) }
        return describedID(key, in: rows).map { RowKey($0) }
    }

    func isShared(_ key: RowKey, in rows: UnsafeRawPointer) -> Bool {
        let rows = rows.assumingMemoryBound(to: Rows.self)
        if let id = id(key), rows.pointee[id: id] != nil { return false }
        return described(key, in: rows).map { $0.only == nil } ?? false
    }

    private func described(
        _ key: RowKey, in rows: UnsafePointer<Rows>
    ) -> RowDescriptions<ID>.Owner? {
        guard key.isText, reader == nil || key.isRecorded else { return nil }
        guard let tracking else {
            var descriptions = RowDescriptions<ID>(at: nil)
            for row in rows.pointee { descriptions.add(row.id, ifDescribedAs: key.text) }
            return descriptions[key.text]
        }
        // Taken out, as descriptions are the app's code; another thread makes its own meanwhile.
        var found: RowDescriptions<ID>?
        index.withValue { swap(&$0, &found) }
        var descriptions: RowDescriptions<ID>
        if let known = found.take(), let mark = known.mark,
            let changes = tracking.changes(mark, UnsafeRawPointer(rows))
        {
            descriptions = known
            for id in changes.removed { descriptions.remove(id) }
            for id in changes.inserted { descriptions.add(id) }
            descriptions.mark = tracking.mark(UnsafeRawPointer(rows))
        } else {
            descriptions = RowDescriptions(at: tracking.mark(UnsafeRawPointer(rows)))
            for row in rows.pointee { descriptions.add(row.id) }
        }
        let owner = descriptions[key.text]
        found = descriptions
        index.withValue { swap(&$0, &found) }
        return owner
    }
}

/// The descriptions of the ids in a table.
struct RowDescriptions<ID: Hashable & Sendable>: Sendable {
    /// Whose description a text is.
    struct Owner: Sendable {
        fileprivate var ids: [ID]
        /// The id; nil where there are several.
        var only: ID? { ids.count == 1 ? ids[0] : nil }
    }

    /// The state of the table that has these ids.
    var mark: EntityMark?
    private var owners: [String: Owner] = [:]

    init(at mark: EntityMark?) { self.mark = mark }

    subscript(text: String) -> Owner? { owners[text] }

    mutating func add(_ id: ID) {
        owners[String(describing: id), default: Owner(ids: [])].ids.append(id)
    }

    mutating func add(_ id: ID, ifDescribedAs text: String) {
        guard String(describing: id) == text else { return }
        owners[text, default: Owner(ids: [])].ids.append(id)
    }

    mutating func remove(_ id: ID) {
        let text = String(describing: id)
        owners[text]?.ids.removeAll { $0 == id }
        if owners[text]?.ids.isEmpty == true { owners[text] = nil }
    }
}
