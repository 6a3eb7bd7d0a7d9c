// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import Onward
internal import OnwardJournal

/// The last position of a journal in a file of its own: shows that the journal's end was lost.
final class HighWaterMark: Sendable {
    private let descriptor: CInt

    /// Opens the file beside a journal, and makes it where it isn't there.
    init(beside path: String) throws(JournalError) {
        let name = path + "-mark"
        descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(name, String(cString: strerror(errno))) }
    }

    deinit { close(descriptor) }

    /// Compares the mark with what the journal has.
    ///
    /// - Throws: `.damaged` where the journal has less. A mark that can't be read says nothing.
    func check(_ end: JournalPosition, of path: String) throws(JournalError) {
        var words = [UInt64](repeating: 0, count: 4)
        let count = words.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, 32, 0) }
        guard count == 32, words[3] == Self.sum(of: words) else { return }
        guard words[0] > end.version else { return }
        throw JournalError(
            .damaged, version: end.version,
            """
            The journal \(path) ends at version \(end.version), but version \(words[0]) had been written: the \
            entries between are lost, as after damage to the file \(path)-wal. To go on with what is there, \
            open it once without keepsMark, or remove \(path)-mark.
            """)
    }

    func note(_ end: JournalPosition, synced: Bool) throws(JournalError) {
        var words = [end.version, end.id.high, end.id.low, 0]
        words[3] = Self.sum(of: words)
        let count = words.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, 32, 0) }
        guard count == 32, !synced || fsync(descriptor) == 0 else {
            throw JournalError(
                .storage, version: end.version,
                "The journal's mark can't be written: \(String(cString: strerror(errno))).")
        }
    }

    private static func sum(of words: [UInt64]) -> UInt64 {
        JournalEntry(
            version: words[0], id: EntryID(high: words[1], low: words[2]), name: "mark",
            origin: Origin(file: "", line: 0)
        ).checksum
    }
}
#endif
