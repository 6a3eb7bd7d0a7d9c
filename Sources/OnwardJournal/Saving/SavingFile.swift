// SPDX-License-Identifier: MIT

internal import Foundation

/// A file that is replaced as a whole.
///
/// The file keeps its permissions. If the path is a symbolic link, its target is replaced; but a
/// private file is not a link, and a link in its place counts as broken.
public struct SavingFile: ValueStorage {
    /// The path of the file.
    public let path: String
    /// The largest file that is read and written, in bytes.
    public let limit: Int
    /// Whether only the user's own account may read the file.
    public let isPrivate: Bool

    /// Creates a file storage; the file and its folder are created when something is saved.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - limit: The largest file that is read and written, in bytes.
    ///   - isPrivate: Whether only the user's own account may read the file.
    public init(_ path: String, limit: Int = 64 << 20, isPrivate: Bool = false) {
        self.path = path
        self.limit = limit
        self.isPrivate = isPrivate
    }

    /// A power failure, as the file and its name are flushed to the disk.
    public var durability: Durability { .synced }

    /// The file that the path leads to.
    ///
    /// There need not be one yet; a cycle of links ends at one of them.
    private var target: String {
        if isPrivate { return path }
        var target = URL(fileURLWithPath: path)
        for _ in 0..<32 {
            let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target.path)
            guard let next else { break }
            target = URL(fileURLWithPath: next, relativeTo: target.deletingLastPathComponent())
        }
        return target.path
    }

    /// The attributes of the file at a path; nil if there is none.
    ///
    /// - Throws: ``SavingError`` for anything but a regular file, such as a folder, a device or a
    ///   named pipe, which would block; the system's error if it cannot be examined.
    private func attributes(
        of path: String, else code: SavingError.Code
    ) throws -> [FileAttributeKey: Any]? {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: path)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return nil
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw SavingError(code, "\(path) is no plain file.")
        }
        return attributes
    }

    /// Reads the contents; nil if there is no file.
    ///
    /// - Throws: ``SavingError`` for anything but a regular file, or one that is too large; errors
    ///   of the system.
    public func read() throws -> [UInt8]? {
        let path = target
        UnfinishedFile.removeAll(for: path)
        guard let attributes = try attributes(of: path, else: .unreadable) else { return nil }
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard size <= limit else {
            throw SavingError(.unreadable, "\(path) has \(size) bytes, more than \(limit).")
        }
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Writes a new file beside the old one, flushes it to the disk, and moves it into place, which
    /// is then flushed to the disk as well.
    ///
    /// If the program or the machine stops meanwhile, the file is either the old one or the new
    /// one. Anything left beside it is removed when the file is read an hour later.
    ///
    /// - Throws: ``SavingError`` for more bytes than could be read back, and if anything but a
    ///   regular file is there; errors of the system.
    public func write(_ bytes: [UInt8]) throws {
        guard bytes.count <= limit else {
            throw SavingError(
                .unwritable, "\(path) would have \(bytes.count) bytes, more than \(limit).")
        }
        let url = URL(fileURLWithPath: target)
        let old = try attributes(of: url.path, else: .unwritable)?[.posixPermissions] as? NSNumber
        try UnfinishedFile(for: url.path).write(
            bytes, permissions: isPrivate ? 0o600 : old?.intValue)
    }

    /// Renames the file: `settings.json` becomes `settings.json.broken-1`, or the next free number.
    ///
    /// - Throws: ``SavingError`` for anything but a regular file, which stays where it is; errors
    ///   of the system.
    public func setAside() throws {
        let path = target
        guard try attributes(of: path, else: .unwritable) != nil else { return }
        try FileManager.default.moveItem(atPath: path, toPath: free("broken", beside: path))
        try SystemFiles().synchronizeFolder(
            URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// Writes a file beside this one: `settings.json.other-1`, or the next free number.
    ///
    /// - Throws: ``SavingError`` for anything but a regular file; errors of the system.
    public func keepBeside(_ contents: [UInt8]) throws {
        let path = target
        let old = try attributes(of: path, else: .unwritable)?[.posixPermissions] as? NSNumber
        try UnfinishedFile(for: path, as: free("other", beside: path)).write(
            contents, permissions: isPrivate ? 0o600 : old?.intValue)
    }

    /// A name beside the file that nothing has.
    private func free(_ mark: String, beside path: String) throws -> String {
        for number in 1...1_000 {
            let aside = "\(path).\(mark)-\(number)"
            // The name of a link that leads nowhere is taken as well.
            if (try? FileManager.default.attributesOfItem(atPath: aside)) == nil { return aside }
        }
        throw SavingError(
            .unwritable, "There are 1,000 files named \(path).\(mark)-1 and so on already.")
    }
}
