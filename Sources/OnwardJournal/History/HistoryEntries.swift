// SPDX-License-Identifier: MIT

internal import Onward

/// The entries of a log, in the order in which they run.
///
/// A value whose copies share their common entries: keeping a log while it grows copies a few
/// pages, however long it is.
public struct HistoryEntries: RandomAccessCollection, Sendable {
    private static let pageSize = 64
    private static let groupSize = 64 * pageSize

    /// Pages in groups; all but the last ones are full.
    private var groups: [[[HistoryEntry]]] = []
    /// How many entries at the beginning of the first group don't count.
    private var offset = 0
    /// How many entries there are.
    public private(set) var count = 0

    init() {}

    init(_ entries: some Sequence<HistoryEntry>) {
        for entry in entries { append(entry) }
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of entries.
    public var endIndex: Int { count }

    /// The entry at a position, from 0.
    public subscript(index: Int) -> HistoryEntry {
        precondition(index >= 0 && index < count, "There is no entry at \(index), only \(count).")
        let place = offset + index
        return groups[place / Self.groupSize][place % Self.groupSize / Self.pageSize][
            place % Self.pageSize]
    }

    /// The nanoseconds between an entry and the one before it, negative if times go backwards; nil
    /// for the first entry, or if the times are not known.
    package func nanoseconds(before place: Int) -> Int64? {
        guard place > 0, let time = self[place].time, let before = self[place - 1].time
        else { return nil }
        // Times from a file may be anything.
        let (distance, isOutside) = time.nanosecondsSince1970
            .subtractingReportingOverflow(before.nanosecondsSince1970)
        return isOutside ? nil : distance
    }

    mutating func append(_ entry: HistoryEntry) {
        let place = offset + count
        if place % Self.groupSize == 0 { groups.append([]) }
        let group = groups.count - 1
        if place % Self.pageSize == 0 {
            groups[group].append([])
            groups[group][groups[group].count - 1].reserveCapacity(Self.pageSize)
        }
        groups[group][groups[group].count - 1].append(entry)
        count += 1
    }

    /// The same entries without the first ones.
    func dropping(_ number: Int) -> HistoryEntries {
        var rest = self
        rest.offset += number
        rest.count -= number
        return rest
    }

    /// Removes the first entries; they are released with the last page that has them.
    mutating func removeFirst(_ number: Int) {
        let first = offset / Self.pageSize
        offset += number
        count -= number
        guard count > 0 else {
            self = HistoryEntries()
            return
        }
        let pagesInGroup = Self.groupSize / Self.pageSize
        for page in first..<offset / Self.pageSize {
            groups[page / pagesInGroup][page % pagesInGroup] = []
        }
        let whole = offset / Self.groupSize
        groups.removeFirst(whole)
        offset -= whole * Self.groupSize
    }
}
