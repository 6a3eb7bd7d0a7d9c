// SPDX-License-Identifier: MIT

/// Who may see a slice or a row.
package enum Readers: Sendable, Hashable {
    case everybody
    case some(Set<String>)

    func contains(_ reader: String?) -> Bool {
        switch self {
        case .everybody: true
        case .some(let names): reader.map { names.contains($0) } ?? false
        }
    }
}

/// What a commit has done to a slice or a row, before it is known who gets it.
package struct ViewChange: Sendable, Hashable {
    /// The change for those who may see it now.
    package var change: SyncChange
    /// Who could see it before.
    package var before: Readers
    /// Who may see it now.
    package var after: Readers

    package init(_ change: SyncChange, before: Readers, after: Readers) {
        self.change = change
        self.before = before
        self.after = after
    }

    /// What a reader gets of it.
    package func change(for reader: String?) -> SyncChange? {
        if after.contains(reader) { return change }
        return before.contains(reader) ? gone : nil
    }

    fileprivate var gone: SyncChange {
        SyncChange(part: change.part, row: change.row, value: nil)
    }
}

/// What a commit has done to the view of each reader.
///
/// Who reads nothing of it costs nothing: there are as many parts as rows have readers.
struct ReaderChanges: Sendable {
    private var everybody: [SyncChange] = []
    private var some: [String: [SyncChange]] = [:]

    init(_ changes: [ViewChange]) {
        for change in changes { add(change) }
    }

    private mutating func add(_ change: ViewChange) {
        switch (change.before, change.after) {
        case (_, .everybody): everybody.append(change.change)
        case (.some(let before), .some(let after)):
            for name in after { some[name, default: []].append(change.change) }
            for name in before.subtracting(after) { some[name, default: []].append(change.gone) }
        case (.everybody, .some(let after)):
            everybody.append(change.gone)
            for name in after { some[name, default: []].append(change.change) }
        }
    }

    subscript(reader: String?) -> [SyncChange] {
        everybody + (reader.flatMap { some[$0] } ?? [])
    }
}

/// The last change of each slice and row, in the order in which they were changed first.
struct MergedChangesOfView {
    private struct Place: Hashable {
        let part: String
        let row: [UInt8]?
    }

    private(set) var changes: [SyncChange] = []
    private(set) var size = 0
    private var places: [Place: Int] = [:]

    mutating func add(_ change: SyncChange) {
        let place = Place(part: change.part, row: change.row)
        size += change.size
        if let index = places[place] {
            size -= changes[index].size
            changes[index] = change
        } else {
            places[place] = changes.count
            changes.append(change)
        }
    }
}
