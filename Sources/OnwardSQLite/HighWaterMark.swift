// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import Onward
internal import OnwardJournal

/// The last position of a journal in a file of its own: shows that the journal's end was lost.
///
/// Used on the journal's queue.
final class HighWaterMark: Sendable {
    private let name: String
    private let descriptor: Guarded<CInt>

    /// Opens the file beside a journal, and makes it where it isn't there.
    init(beside path: String) throws(JournalError) {
        name = path + "-mark"
        descriptor = Guarded(try Self.opened(name))
    }

    deinit { _ = close(descriptor.withValue { $0 }) }

    private static func opened(_ name: String) throws(JournalError) -> CInt {
        let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unwritable(name, String(cString: strerror(errno))) }
        return file
    }

    /// The open file; opened again where the name stands for another one by now, or for none.
    private func file() throws(JournalError) -> CInt {
        let old = descriptor.withValue { $0 }
        switch FileIdentity.look(at: name) {
        case .hidden, .unknown: return old
        case .file(let identity) where identity == FileIdentity.of(old): return old
        case .file, .nothing: break
        }
        let new = try Self.opened(name)
        descriptor.withValue { $0 = new }
        close(old)
        return new
    }

    /// Compares the mark with what the journal has.
    ///
    /// - Throws: `.damaged` where the journal has less. A mark that can't be read says nothing.
    func check(_ bounds: JournalBounds, of path: String) throws(JournalError) {
        var bytes = [UInt8](repeating: 0, count: 40)
        guard pread(try file(), &bytes, bytes.count, 0) == 40, let noted = JournalBounds(bytes)
        else { return }
        let end = bounds.last.version
        guard noted.last.version > end else { return }
        throw JournalError(
            .damaged, version: end,
            """
            The journal \(path) ends at version \(end), but version \(noted.last.version) had been written: \
            the entries between are lost, as after damage to the file \(path)-wal. To go on with what is \
            there, open it once without keepsMark, or remove \(path)-mark.
            """)
    }

    func note(_ bounds: JournalBounds, synced: Bool) throws(JournalError) {
        let bytes = bounds.bytes
        let file = try file()
        guard pwrite(file, bytes, bytes.count, 0) == 40, !synced || fsync(file) == 0 else {
            throw JournalError(
                .storage, version: bounds.last.version,
                "The journal's mark can't be written: \(String(cString: strerror(errno))).")
        }
    }
}
#endif
