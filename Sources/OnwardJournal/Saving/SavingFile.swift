// SPDX-License-Identifier: MIT

internal import Foundation

/// A file that is replaced as a whole.
public struct SavingFile: SavingPlace {
    /// Where the file lies.
    public let path: String
    /// The largest file that is read, in bytes.
    public let limit: Int
    /// Whether only the user's own account may read it.
    public let isPrivate: Bool

    /// A file; it and its folder are made when something is saved.
    ///
    /// - Parameters:
    ///   - path: Where it lies.
    ///   - limit: The largest file that is read, in bytes.
    ///   - isPrivate: Whether only the user's own account may read it.
    public init(_ path: String, limit: Int = 64 << 20, isPrivate: Bool = false) {
        self.path = path
        self.limit = limit
        self.isPrivate = isPrivate
    }

    /// The contents; nil where there is no file.
    ///
    /// - Throws: ``SavingError`` for something that is no file, or is too large.
    public func read() throws -> [UInt8]? {
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

    /// Writes a new file beside the old one and puts it in its place.
    public func write(_ bytes: [UInt8]) throws {
        let url = URL(fileURLWithPath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url, options: .atomic)
        guard isPrivate else { return }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Renames the file: `settings.json` becomes `settings.json.broken-1`, or the next free number.
    public func setAside() throws {
        let manager = FileManager.default
        for number in 1...1_000 {
            let aside = "\(path).broken-\(number)"
            if manager.fileExists(atPath: aside) { continue }
            return try manager.moveItem(atPath: path, toPath: aside)
        }
        throw SavingError(.unwritable, "There are 1,000 broken files beside \(path) already.")
    }
}
