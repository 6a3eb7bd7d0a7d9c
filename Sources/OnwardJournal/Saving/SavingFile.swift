// SPDX-License-Identifier: MIT

internal import Foundation

/// A file that is replaced as a whole.
///
/// It keeps the permissions that it has. Where the path is a symbolic link, the file that it leads to is
/// meant; but a private file is not a link, and a link in its place counts as broken.
public struct SavingFile: ValueStorage {
    /// Where the file lies.
    public let path: String
    /// The largest file that is read and written, in bytes.
    public let limit: Int
    /// Whether only the user's own account may read it.
    public let isPrivate: Bool

    /// A file; it and its folder are made when something is saved.
    ///
    /// - Parameters:
    ///   - path: Where it lies.
    ///   - limit: The largest file that is read and written, in bytes.
    ///   - isPrivate: Whether only the user's own account may read it.
    public init(_ path: String, limit: Int = 64 << 20, isPrivate: Bool = false) {
        self.path = path
        self.limit = limit
        self.isPrivate = isPrivate
    }

    /// Where the file lies that the path leads to.
    ///
    /// There need not be one yet; a circle of links ends at one of them.
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

    /// The attributes of the file at a path; nil where there is none.
    ///
    /// - Throws: ``SavingError`` for something that is no plain file, such as a folder, a device or a named
    ///   pipe, which would block; what the system throws where it cannot say.
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

    /// The contents; nil where there is no file.
    ///
    /// - Throws: ``SavingError`` for something that is no plain file, or is too large; what the system
    ///   throws.
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

    /// Writes a new file beside the old one, down to the disk, and puts it in its place, which is then
    /// written down to the disk as well.
    ///
    /// A program or a machine that stops meanwhile leaves the old file as it is, or the new one. What it
    /// leaves beside it is removed when the file is read an hour later.
    ///
    /// - Throws: ``SavingError`` for more bytes than would be read, and where there is something that is no
    ///   plain file; what the system throws.
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
    /// - Throws: ``SavingError`` for something that is no plain file, which stays where it is; what the
    ///   system throws.
    public func setAside() throws {
        let (manager, path) = (FileManager.default, target)
        guard try attributes(of: path, else: .unwritable) != nil else { return }
        for number in 1...1_000 {
            let aside = "\(path).broken-\(number)"
            // The name of a link that leads nowhere is taken, too.
            if (try? manager.attributesOfItem(atPath: aside)) != nil { continue }
            try manager.moveItem(atPath: path, toPath: aside)
            return try SystemFiles().synchronizeFolder(
                URL(fileURLWithPath: path).deletingLastPathComponent().path)
        }
        throw SavingError(.unwritable, "There are 1,000 broken files beside \(path) already.")
    }
}
