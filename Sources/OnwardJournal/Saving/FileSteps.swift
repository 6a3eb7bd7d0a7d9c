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

/// The file operations, one step at a time, so that a test can stop the machine between any two.
protocol FileSteps: Sendable {
    /// Makes a folder, and those around it, unless they are there.
    func makeFolder(_ path: String) throws
    /// Makes a file; nil means the default permissions.
    func makeFile(_ path: String, permissions: Int?) throws
    /// Writes into a file that was just made.
    func write(_ bytes: [UInt8], to path: String) throws
    /// Flushes a file's contents to the disk.
    func synchronize(_ path: String) throws
    /// Gives a file another name, replacing any file that had it.
    func move(_ path: String, to name: String) throws
    /// Flushes the list of a folder's files to the disk.
    func synchronizeFolder(_ path: String) throws
    /// Removes a file.
    func remove(_ path: String) throws
}

/// The files of this machine.
struct SystemFiles: FileSteps {
    func makeFolder(_ path: String) throws {
        let manager = FileManager.default
        if manager.fileExists(atPath: path) { return }
        // From the outermost one: each is flushed in a folder that will be found again.
        let outer = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if outer != path { try makeFolder(outer) }
        try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        try synchronizeFolder(outer)
    }

    func makeFile(_ path: String, permissions: Int?) throws {
        let attributes = permissions.map {
            [FileAttributeKey.posixPermissions: NSNumber(value: $0)]
        }
        guard
            FileManager.default.createFile(atPath: path, contents: nil, attributes: attributes)
        else { throw SavingError(.unwritable, "\(path) cannot be made.") }
    }

    func write(_ bytes: [UInt8], to path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try handle.write(contentsOf: Data(bytes))
    }

    func synchronize(_ path: String) throws {
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        #if canImport(Darwin)
        // Without it, the bytes may stay in the disk's memory; some file systems don't support it.
        if fcntl(handle.fileDescriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try handle.synchronize()
    }

    func move(_ path: String, to name: String) throws {
        #if canImport(WinSDK) || canImport(WASILibc)
        _ = try FileManager.default.replaceItemAt(
            URL(fileURLWithPath: name), withItemAt: URL(fileURLWithPath: path))
        #else
        guard rename(path, name) == 0 else {
            let reason = String(cString: strerror(errno))
            throw SavingError(.unwritable, "\(name) cannot be replaced: \(reason).")
        }
        #endif
    }

    /// - Throws: ``SavingError`` if the disk fails; a file system without support is ignored.
    func synchronizeFolder(_ path: String) throws {
        #if !canImport(WinSDK) && !canImport(WASILibc)
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno != EIO else {
            throw SavingError(
                .unwritable, "\(path) cannot be written: \(String(cString: strerror(EIO))).")
        }
        #endif
    }

    func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: path)
    }
}
