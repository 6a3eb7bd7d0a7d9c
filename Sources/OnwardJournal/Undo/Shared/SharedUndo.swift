// SPDX-License-Identifier: MIT

internal import HashTreeCollections
internal import Onward

/// What each of several people can undo and redo in a table: a part of the state, beside the table.
///
/// A step has what its action changed and nothing else: rows that were added or removed, and the
/// declared properties of others. Undoing it takes back that, and nothing that somebody else has
/// done since; where somebody has changed the same, it is refused (``refusal(of:)``). Since it is
/// state, it is replayed, saved and truncated with the rest.
public struct SharedUndo<Row: Identifiable & Equatable & Sendable>: Sendable
where Row.ID: Sendable {
    /// One step: what an action changed, or several in a group.
    struct Step: Sendable, Equatable {
        let id: Int
        var edits: [RowEdit<Row>]
    }

    /// What a group dropped when it began.
    struct Dropped: Sendable, Equatable {
        var undone: [Step]
        var oldest: [Step] = []
        var newest: Int
    }

    /// The steps of one author.
    struct Author: Sendable, Equatable {
        /// The oldest first.
        var done: [Step] = []
        /// The last undone at the end.
        var undone: [Step] = []
        /// The group of the last step, as long as other changes may join it.
        var openGroup: UndoGroup?
        /// What the open group dropped: it is no step if it ends where it began.
        var dropped: Dropped?
        var refusal: UndoRefusal?
        /// The newest step that the author made.
        var newest = 0
    }

    /// Distinguishes it from others that the same actions reach; nil if there are none.
    public let name: String?
    /// By name; a persistent tree, which versions of the state share.
    private(set) var authors: TreeDictionary<String, Author> = [:]
    private(set) var nextID = 1
    /// The table before the action that is being reduced.
    private var before: EntityTable<Row>?

    /// Creates a stack with nothing to undo.
    ///
    /// - Parameter name: Distinguishes the stack from others of the same feature.
    public init(_ name: String? = nil) { self.name = name }

    /// The action that undoes an author's last step; nil if there is none.
    ///
    /// - Complexity: O(1).
    public func undo(by author: String) -> SharedUndoAction? {
        authors[author]?.done.last.map { .undo(step: $0.id, by: author, of: name) }
    }

    /// The action that redoes the step that an author undid last; nil if there is none.
    ///
    /// - Complexity: O(1).
    public func redo(by author: String) -> SharedUndoAction? {
        authors[author]?.undone.last.map { .redo(step: $0.id, by: author, of: name) }
    }

    /// The action that forgets an author's last step, to get at those before it; nil if there is
    /// none.
    ///
    /// - Complexity: O(1).
    public func forget(by author: String) -> SharedUndoAction? {
        authors[author]?.done.last.map { .forget(step: $0.id, by: author, of: name) }
    }

    /// Why an author's last undo or redo has changed nothing; nil once another step was done.
    ///
    /// - Complexity: O(1).
    public func refusal(of author: String) -> UndoRefusal? { authors[author]?.refusal }

    /// How many steps an author can undo.
    ///
    /// - Complexity: O(1).
    public func count(by author: String) -> Int { authors[author]?.done.count ?? 0 }

    /// Forgets all steps.
    public mutating func removeAll() {
        authors = [:]
        before = nil
    }

    // MARK: Recording

    mutating func begin(_ rows: EntityTable<Row>) { before = rows }

    /// Notes what an author's action did; a new change drops what the author has undone.
    mutating func end(
        _ rows: EntityTable<Row>, by author: String, in group: UndoGroup?,
        _ fields: RowFields<Row>, limits: (steps: Int, authors: Int)
    ) {
        defer { before = nil }
        guard let before else { return }
        let edits = Self.edits(from: before, to: rows).filter(fields.counts)
        guard !edits.isEmpty else { return }
        var own = authors[author] ?? Author()
        own.refusal = nil
        if let group, let last = own.openGroup, group.joins(last), let step = own.done.last,
            let joined = Self.join(step.edits, edits, fields)
        {
            own.openGroup = group
            own.done.removeLast()
            if joined.isEmpty {
                let dropped = own.dropped
                (own.openGroup, own.dropped) = (nil, nil)
                own.undone = dropped?.undone ?? []
                own.done.insert(contentsOf: dropped?.oldest ?? [], at: 0)
                own.newest = dropped?.newest ?? own.newest
            } else {
                own.done.append(Step(id: step.id, edits: joined))
            }
        } else {
            own.openGroup = group
            own.dropped =
                group == nil ? nil : Dropped(undone: own.undone, newest: own.newest)
            own.undone = []
            own.done.append(Step(id: nextID, edits: edits))
            own.newest = nextID
            nextID += 1
            while own.done.count > limits.steps {
                own.dropped?.oldest.append(own.done[0])
                own.done.removeFirst()
            }
        }
        authors[author] = own.done.isEmpty && own.undone.isEmpty ? nil : own
        if authors.count > limits.authors { forgetOldest() }
    }

    private mutating func forgetOldest() {
        let oldest = authors.min { $0.value.newest < $1.value.newest }
        if let oldest { authors[oldest.key] = nil }
    }

    /// What differs between two tables; rows that went or came in the order in which they stand.
    private static func edits(
        from old: EntityTable<Row>, to new: EntityTable<Row>
    ) -> [RowEdit<Row>] {
        func inOrder(_ ids: [Row.ID], _ rows: EntityTable<Row>) -> [Row.ID] {
            ids.map { (index: rows.index(id: $0) ?? 0, id: $0) }
                .sorted { $0.index < $1.index }
                .map(\.id)
        }
        let changes = new.changes(since: old)
        let gone = inOrder(changes.removed, old)
        let removed = zip(gone, RowPlace.places(of: gone, in: old)).map { id, place in
            RowEdit(id: id, before: old[id: id], after: nil, place: place)
        }
        let others = (inOrder(changes.inserted, new) + changes.updated).map { id in
            RowEdit(id: id, before: old[id: id], after: new[id: id])
        }
        return removed + others
    }

    /// Two sets of edits as one; nil where somebody else has changed the same in between.
    private static func join(
        _ first: [RowEdit<Row>], _ second: [RowEdit<Row>], _ fields: RowFields<Row>
    ) -> [RowEdit<Row>]? {
        var joined = first
        var new: [RowEdit<Row>] = []
        for edit in second {
            guard let index = joined.firstIndex(where: { $0.id == edit.id }) else {
                new.append(edit)
                continue
            }
            switch (joined[index].after, edit.before) {
            case (nil, nil): break
            case (let left?, let found?) where fields.isSame(left, found):
                // What others have changed besides stays theirs: a row that goes comes back with it,
                // and one that was added is no longer the author's alone.
                if let old = joined[index].before {
                    guard edit.after == nil else { break }
                    var before = found
                    fields.copy(old, to: &before)
                    joined[index].before = before
                } else if !isUnchanged(left, found) {
                    return nil
                }
            default: return nil
            }
            joined[index].after = edit.after
            if joined[index].before != nil { joined[index].place = edit.place }
        }
        // Last gone, first back.
        return (new + joined).filter(fields.counts)
    }

    // MARK: Undoing

    /// Undoes, redoes or forgets a step; nothing is done where the action names another one, or
    /// where it is refused.
    mutating func perform(
        _ action: SharedUndoAction, on rows: inout EntityTable<Row>, _ fields: RowFields<Row>
    ) {
        switch action {
        case .undo(let id, let author, name):
            guard var own = authors[author], let step = own.done.last, step.id == id else { return }
            var edits = step.edits
            if let refusal = Self.revert(&edits, of: id, in: &rows, fields) {
                own.refusal = refusal
            } else {
                own.done.removeLast()
                own.undone.append(Step(id: id, edits: edits))
                (own.openGroup, own.dropped, own.refusal) = (nil, nil, nil)
            }
            authors[author] = own
        case .redo(let id, let author, name):
            guard var own = authors[author], let step = own.undone.last, step.id == id
            else { return }
            var edits = step.edits.map(\.reversed)
            if let refusal = Self.revert(&edits, of: id, in: &rows, fields) {
                own.refusal = refusal
            } else {
                own.undone.removeLast()
                own.done.append(Step(id: id, edits: edits.map(\.reversed)))
                (own.openGroup, own.dropped, own.refusal) = (nil, nil, nil)
            }
            authors[author] = own
        case .forget(let id, let author, name):
            guard var own = authors[author], own.done.last?.id == id else { return }
            own.done.removeLast()
            (own.openGroup, own.dropped, own.refusal) = (nil, nil, nil)
            authors[author] = own.done.isEmpty && own.undone.isEmpty ? nil : own
        default: return
        }
    }

    /// Reverts all edits of a step, or none.
    private static func revert(
        _ edits: inout [RowEdit<Row>], of step: Int, in rows: inout EntityTable<Row>,
        _ fields: RowFields<Row>
    ) -> UndoRefusal? {
        for edit in edits {
            guard let reason = fields.obstacle(to: edit, in: rows) else { continue }
            return UndoRefusal(step: step, row: RowKey(edit.id).text, reason: reason)
        }
        // Rows that go together name each other.
        let table = rows
        let going = edits.filter { $0.before == nil }
            .sorted { (table.index(id: $0.id) ?? 0) < (table.index(id: $1.id) ?? 0) }
        let places = RowPlace.places(of: going.map(\.id), in: rows)
        edits.removeAll { $0.before == nil }
        edits += zip(going, places).map { edit, place in
            var edit = edit
            edit.place = place
            return edit
        }
        for edit in edits { fields.revert(edit, in: &rows) }
        return nil
    }
}

extension SharedUndo: Equatable {
    /// Whether everybody can undo and redo the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.nextID == right.nextID && left.authors == right.authors
    }
}

extension SharedUndo.Step: Codable where Row: Codable, Row.ID: Codable {}
extension SharedUndo.Dropped: Codable where Row: Codable, Row.ID: Codable {}
extension SharedUndo.Author: Codable where Row: Codable, Row.ID: Codable {}

extension SharedUndo: Codable where Row: Codable, Row.ID: Codable {
    private enum CodingKeys: String, CodingKey { case name, authors, nextID }

    /// Decodes a stack, which may come from a file written elsewhere.
    ///
    /// - Throws: `DecodingError` for steps whose ids are not those of one stack.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        nextID = try container.decode(Int.self, forKey: .nextID)
        authors = TreeDictionary(
            uniqueKeysWithValues: try container.decode([String: Author].self, forKey: .authors))
        let ids = authors.values.flatMap { ($0.done + $0.undone).map(\.id) }
        guard Set(ids).count == ids.count, (1...1 << 53).contains(nextID),
            ids.allSatisfy({ 1..<nextID ~= $0 })
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .nextID, in: container,
                debugDescription: "the ids of the steps are not those of one stack")
        }
    }

    /// Encodes the steps of each author.
    ///
    /// - Throws: What `encode(to:)` of the rows throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encode(nextID, forKey: .nextID)
        try container.encode(
            Dictionary(uniqueKeysWithValues: authors.map { ($0.key, $0.value) }), forKey: .authors)
    }
}
