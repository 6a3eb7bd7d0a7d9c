// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation

/// Which file a name stands for: it stays the same while the file is open, whatever is written to it.
struct FileIdentity: Sendable, Equatable {
    private let device: UInt64
    private let number: UInt64

    /// What a look at a name finds.
    enum Look: Equatable {
        case file(FileIdentity)
        /// Nothing has that name any more, or the file system that had it is gone.
        case nothing
        /// The system doesn't let this program look, as on a phone that is locked: that says nothing of the file.
        case hidden
        /// It isn't known, for a reason such as a disk that fails.
        case unknown(String)
    }

    static func look(at name: String) -> Look {
        var status = stat()
        guard stat(name, &status) == 0 else { return look(failing: errno) }
        return .file(FileIdentity(status))
    }

    /// Whether a file has nothing in it.
    static func isEmpty(_ name: String) -> Bool {
        var status = stat()
        return stat(name, &status) == 0 && status.st_size == 0
    }

    /// The file behind a descriptor; nil where the system can't say.
    static func of(_ descriptor: CInt) -> FileIdentity? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? FileIdentity(status) : nil
    }

    /// What an error of the system says about a file that was there.
    static func look(failing error: CInt) -> Look {
        switch error {
        case ENOENT, ENOTDIR, ELOOP, ESTALE, ENODEV, ENXIO, ENOTCONN: .nothing
        case EACCES, EPERM: .hidden
        default: .unknown(String(cString: strerror(error)))
        }
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}
#endif
