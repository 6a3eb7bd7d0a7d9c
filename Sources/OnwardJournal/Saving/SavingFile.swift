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

    /// The contents; nil where there is no file.
    ///
    /// - Throws: ``SavingError`` for something that is not a file, or is too large.
    public func read() throws -> [UInt8]? {
        let path = target
        UnfinishedFile.removeAll(for: path)
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: path)
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return nil
        }
        // Not a named pipe, which would block, nor a folder.
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw SavingError(.unreadable, "\(path) is no file.")
        }
        let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
        guard size <= limit else {
            throw SavingError(.unreadable, "\(path) has \(size) bytes, more than \(limit).")
        }
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Writes a new file beside the old one, down to the disk, and puts it in its place.
    ///
    /// A program that ends meanwhile leaves the old file as it is. What it leaves of the new one is removed
    /// when the file is read again.
    ///
    /// - Throws: ``SavingError`` for more bytes than would be read; what the system throws.
    public func write(_ bytes: [UInt8]) throws {
        guard bytes.count <= limit else {
            throw SavingError(
                .unwritable, "\(path) would have \(bytes.count) bytes, more than \(limit).")
        }
        let (manager, url) = (FileManager.default, URL(fileURLWithPath: target))
        try manager.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        let old = try? manager.attributesOfItem(atPath: url.path)[.posixPermissions]
        try UnfinishedFile(for: url.path).write(
            bytes, permissions: isPrivate ? 0o600 : (old as? NSNumber)?.intValue)
    }

    /// Renames the file: `settings.json` becomes `settings.json.broken-1`, or the next free number.
    ///
    /// - Throws: ``SavingError`` for a folder, which stays where it is; what the system throws.
    public func setAside() throws {
        let (manager, path) = (FileManager.default, target)
        let type = try manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard type != .typeDirectory else {
            throw SavingError(.unwritable, "\(path) is a folder.")
        }
        for number in 1...1_000 {
            let aside = "\(path).broken-\(number)"
            // The name of a link that leads nowhere is taken, too.
            if (try? manager.attributesOfItem(atPath: aside)) != nil { continue }
            return try manager.moveItem(atPath: path, toPath: aside)
        }
        throw SavingError(.unwritable, "There are 1,000 broken files beside \(path) already.")
    }
}
