// SPDX-License-Identifier: MIT
#if SQLite

internal import Foundation
internal import OnwardJournal

/// Where each of many journals has its file: below one of 256 folders, so that no folder gets large.
///
/// A name is never a path: of its bytes, small letters, digits and hyphens stay as they are, any other is written as
/// two digits behind an underscore. So each name has a file of its own, also where the file system doesn't
/// distinguish capitals.
struct JournalFolder: Sendable {
    let path: String
    private static let suffix = ".journal"

    /// The folder, which is made where it isn't there, for this account alone.
    init(_ path: String) throws(JournalError) {
        self.path = path
        try make(path)
    }

    /// The file of a journal; its folder is there.
    func file(of name: String) throws(JournalError) -> String {
        guard (1...64).contains(name.utf8.count) else {
            throw JournalError(
                .invalid,
                """
                A journal can't have a name of \(name.utf8.count) bytes. Give it one of 1 to 64, such as a \
                digest of what it is for.
                """)
        }
        var written = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"):
                written.unicodeScalars.append(Unicode.Scalar(byte))
            default: written += "_" + Self.digits(byte)
            }
        }
        var sum = Checksum()
        sum.add(name)
        let folder = "\(path)/\(Self.digits(UInt8(truncatingIfNeeded: sum.value)))"
        try make(folder)
        return "\(folder)/\(written)\(Self.suffix)"
    }

    /// The files of all journals, with when each was last written.
    ///
    /// - Complexity: O(journals).
    func files() -> [(path: String, written: Date)] {
        let manager = FileManager.default
        let folders = (try? manager.contentsOfDirectory(atPath: path)) ?? []
        return folders.filter { $0.utf8.count == 2 }.flatMap { folder in
            let names = (try? manager.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
            return names.filter { $0.hasSuffix(Self.suffix) }.map { name in
                let file = "\(path)/\(folder)/\(name)"
                return (file, written(file))
            }
        }
    }

    /// Removes the file of a journal, and what lies beside it.
    ///
    /// - Returns: Why that can't be done; nil where it was.
    func remove(_ file: String) -> JournalError? {
        // The journal itself goes first: without it the others mean nothing.
        for suffix in ["", "-wal", "-shm", "-mark", "-replay", "-writer"] {
            guard unlink(file + suffix) == 0 || errno == ENOENT else {
                return .unwritable(file + suffix, String(cString: strerror(errno)))
            }
        }
        return nil
    }

    private func written(_ file: String) -> Date {
        let dates = [file, file + "-wal"].compactMap { file in
            try? FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        }
        return dates.max() ?? .distantFuture
    }

    private func make(_ folder: String) throws(JournalError) {
        guard mkdir(folder, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT else { throw .unwritable(folder, String(cString: strerror(errno))) }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw .unwritable(folder, "its folder can't be made")
        }
    }

    private static func digits(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
#endif
