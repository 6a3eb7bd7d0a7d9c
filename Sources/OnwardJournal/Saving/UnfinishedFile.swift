// SPDX-License-Identifier: MIT

internal import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// A new file beside the one whose place it takes once it is complete.
///
/// Its name is random: `settings.json.saving-5E3A90C1-…`. What a killed program left can be notified from what
/// another one is writing by its age; the number of a process says nothing where programs in several
/// containers share a folder.
struct UnfinishedFile {
    /// What stands between the name of the file and what is random.
    private static let mark = ".saving-"
    /// The age from which on nobody writes a file any more, in seconds.
    private static let longest: TimeInterval = 3_600

    private let path: String
    private let temporary: String

    /// A file that is going to be at a path.
    init(for path: String) {
        self.path = path
        temporary = "\(path)\(Self.mark)\(UUID().uuidString)"
    }

    /// Writes the file, down to the disk, and puts it in its place; nil means the default permissions.
    func write(_ bytes: [UInt8], permissions: Int?) throws {
        let manager = FileManager.default
        let attributes = permissions.map {
            [FileAttributeKey.posixPermissions: NSNumber(value: $0)]
        }
        guard manager.createFile(atPath: temporary, contents: nil, attributes: attributes) else {
            throw SavingError(.unwritable, "\(temporary) cannot be made.")
        }
        do {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: temporary))
            defer { try? handle.close() }
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try replace()
        } catch {
            try? manager.removeItem(atPath: temporary)
            throw error
        }
        try Self.synchronizeFolder(of: path)
    }

    private func replace() throws {
        #if canImport(WinSDK) || canImport(WASILibc)
        _ = try FileManager.default.replaceItemAt(
            URL(fileURLWithPath: path), withItemAt: URL(fileURLWithPath: temporary))
        #else
        guard rename(temporary, path) == 0 else {
            let reason = String(cString: strerror(errno))
            throw SavingError(.unwritable, "\(path) cannot be replaced: \(reason).")
        }
        #endif
    }

    /// Writes down to the disk which file has a name.
    ///
    /// - Throws: ``SavingError`` where the disk fails; a file system that cannot is left alone.
    static func synchronizeFolder(of path: String) throws {
        #if !canImport(WinSDK) && !canImport(WASILibc)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = open(folder, O_RDONLY)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno != EIO else {
            throw SavingError(
                .unwritable, "\(folder) cannot be written: \(String(cString: strerror(EIO))).")
        }
        #endif
    }

    /// Removes what was left by programs that ended while they wrote a file at a path.
    static func removeAll(for path: String) {
        let (manager, url) = (FileManager.default, URL(fileURLWithPath: path))
        let folder = url.deletingLastPathComponent()
        let prefix = url.lastPathComponent + mark
        for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(prefix) {
            let place = folder.appendingPathComponent(name).path
            let attributes = try? manager.attributesOfItem(atPath: place)
            guard let changed = attributes?[.modificationDate] as? Date,
                changed.timeIntervalSinceNow < -longest,
                attributes?[.type] as? FileAttributeType == .typeRegular
            else { continue }
            try? manager.removeItem(atPath: place)
        }
    }
}
