// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import OnwardJournal

/// Makes sure that one journal object writes a file: a lock on a file beside it, which the system lets go of
/// when the process ends, however it ends.
final class WriterLock: Sendable {
    private let name: String
    private let descriptor: CInt

    /// Takes the lock.
    ///
    /// - Throws: `.locked` when another writer has it; `.unwritable` where the lock file can't be made.
    init(beside path: String) throws(JournalError) {
        name = path + "-writer"
        let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unwritable(name, String(cString: strerror(errno))) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let holder = Self.holder(file)
            close(file)
            throw JournalError(
                .locked,
                """
                The journal \(path) is already written by \(holder). Only one may write it at a time: use \
                that journal object, end that process, or open the file for reading with \
                SQLiteJournal(reading:).
                """)
        }
        descriptor = file
        ftruncate(file, 0)
        let text = Array("\(getpid())\n".utf8)
        _ = pwrite(file, text, text.count, 0)
    }

    // A program that another thread starts has a copy of the descriptor for a moment: closing alone would leave the
    // lock to that.
    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Whether the lock's file was deleted or replaced, so that another writer could take one of that name.
    var isGone: Bool {
        switch FileIdentity.look(at: name) {
        case .nothing: true
        case .file(let identity): identity != FileIdentity.of(descriptor)
        case .hidden, .unknown: false
        }
    }

    /// Who wrote its process id into the lock file.
    private static func holder(_ file: CInt) -> String {
        var buffer = [UInt8](repeating: 0, count: 20)
        let count = pread(file, &buffer, buffer.count, 0)
        let text = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
        guard let process = Int32(text.trimmingCharacters(in: .newlines)) else {
            return "another journal object"
        }
        return process == getpid()
            ? "another journal object of this process" : "process \(process)"
    }
}
#endif
