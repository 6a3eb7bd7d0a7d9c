// SPDX-License-Identifier: MIT
#if SQLite

internal import Onward
internal import OnwardJournal

/// Where a journal begins and ends, with a checksum.
///
/// It is a second copy of what the table of entries says: a page of that table whose count of cells is wrong
/// has no entry that a checksum could find, and reads as a shorter journal.
struct JournalBounds: Equatable {
    /// The first version that is kept.
    var first: CommitVersion = 1
    var last = JournalPosition.start

    init() {}

    /// Reads what ``bytes`` has made; nil for anything else.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 40 else { return nil }
        let words = (0..<5).map { word in
            bytes[(word * 8)..<(word * 8 + 8)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        first = words[0]
        last = JournalPosition(version: words[1], id: EntryID(high: words[2], low: words[3]))
        guard words[4] == checksum else { return nil }
    }

    var bytes: [UInt8] {
        [first, last.version, last.id.high, last.id.low, checksum].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) }
        }
    }

    private var checksum: UInt64 {
        JournalEntry(
            version: last.version, id: last.id, epoch: first, name: "bounds",
            origin: ActionOrigin(file: "", line: 0)
        ).checksum
    }
}
#endif
