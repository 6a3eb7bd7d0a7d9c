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
/// Its name says which process writes it, so that what a killed process left can be notified from what
/// another one is writing: `settings.json.saving-4711-5E3A90C1`.
struct UnfinishedFile {
    private let path: String
    private let temporary: String

    /// A file that is going to be at a path.
    init(for path: String) {
        self.path = path
        let process = ProcessInfo.processInfo.processIdentifier
        temporary = "\(path).saving-\(process)-\(UUID().uuidString.prefix(8))"
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

    /// Removes what was left by processes that ended while they wrote a file at a path.
    static func removeAll(for path: String) {
        #if !canImport(WinSDK) && !canImport(WASILibc)
        let (manager, url) = (FileManager.default, URL(fileURLWithPath: path))
        let folder = url.deletingLastPathComponent()
        let prefix = "\(url.lastPathComponent).saving-"
        for name in (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(prefix) {
            let owner = name.dropFirst(prefix.count).prefix { $0 != "-" }
            guard let process = Int32(owner), process > 0, kill(process, 0) != 0, errno == ESRCH
            else { continue }
            try? manager.removeItem(at: folder.appendingPathComponent(name))
        }
        #endif
    }
}
