// SPDX-License-Identifier: MIT
#if Server

import Dispatch
import Foundation
import Onward

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The folder in which a run of a program keeps the files that it receives.
///
/// It lies in a folder for all runs of this user's programs, with a lock beside it that the process
/// holds as long as it lives. A lock that nobody holds is that of a run that was killed: whoever
/// starts next removes it, and its files.
final class UploadFolder: Sendable {
    /// Identifies the run.
    let run = RandomID().description
    private let parent: String
    private let state = Guarded(State())
    /// Disks may be slow: nothing of this happens on the threads of tasks.
    private let queue = DispatchQueue(label: "onward.server.uploads")

    private struct State {
        /// Held for as long as it is open; nil before the first file.
        var lock: FileHandle?
    }

    init(in parent: String?) {
        self.parent =
            parent
            ?? FileManager.default.temporaryDirectory
            .appendingPathComponent("onward-uploads-\(getuid())").path
    }

    deinit {
        guard let lock = state.withValue({ $0.lock }) else { return }
        try? FileManager.default.removeItem(atPath: path)
        unlink(lockPath)
        try? lock.close()
    }

    /// Where a file is.
    func path(of id: String) -> String { "\(path)/\(id)" }

    private var path: String { "\(parent)/\(run)" }
    private var lockPath: String { "\(path).lock" }

    /// Makes the folder, unless it is there, and removes those of runs that were killed.
    ///
    /// - Throws: ``UploadError`` if it can't be used.
    func open() async throws(UploadError) {
        try await perform(about: parent) { [self] in
            if state.withValue({ $0.lock }) != nil { return }
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            guard Self.isOwn(parent) else { throw CocoaError(.fileWriteNoPermission) }
            removeAbandoned()
            // Somebody who starts at this moment may have taken it for that of a run that is over.
            let lock = try (try? makeLock()) ?? makeLock()
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            state.withValue { $0.lock = lock }
        }
    }

    /// Creates an empty file to be written to.
    ///
    /// - Throws: ``UploadError`` if it can't be.
    func create(_ id: String) async throws(UploadError) -> FileHandle {
        try await perform(about: id) { [path = path(of: id)] in
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
            return try Self.handle(openFile(path, flags))
        }
    }

    /// Writes to a file.
    ///
    /// - Throws: ``UploadError`` if it can't be written, as on a full disk.
    func write(_ bytes: [UInt8], to file: FileHandle, id: String) async throws(UploadError) {
        try await perform(about: id) { try file.write(contentsOf: Data(bytes)) }
    }

    /// Removes files, some time soon.
    func remove(_ ids: [String]) {
        if ids.isEmpty { return }
        // It keeps the folder until this is done.
        queue.async { [self] in for id in ids { unlink(path(of: id)) } }
    }

    /// Does something with files, on a thread of its own.
    ///
    /// - Throws: ``UploadError`` if `body` throws.
    func perform<Value: Sendable>(
        about name: String, _ body: @escaping @Sendable () throws -> Value
    ) async throws(UploadError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { try body() }) }
        }
        do { return try result.get() } catch { throw UploadError(code: .unusable, name: name) }
    }

    private func makeLock() throws -> FileHandle { try Self.lock(lockPath, creating: true) }

    private func removeAbandoned() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for name in names where name.hasSuffix(".lock") {
            let place = "\(parent)/\(name)"
            // Whoever holds it lives.
            guard let lock = try? Self.lock(place, creating: false) else { continue }
            try? FileManager.default.removeItem(atPath: String(place.dropLast(5)))
            unlink(place)
            try? lock.close()
        }
    }

    /// Locks a file for this process.
    ///
    /// - Throws: An error if another one holds it, or has removed it meanwhile.
    private static func lock(_ path: String, creating: Bool) throws -> FileHandle {
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | (creating ? O_CREAT | O_EXCL : 0)
        let file = try handle(openFile(path, flags))
        // Whoever held it before may have removed it.
        guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0,
            FileManager.default.fileExists(atPath: path)
        else {
            try? file.close()
            throw CocoaError(.fileLocking)
        }
        return file
    }

    /// Whether a folder is this user's and nobody else can write to it.
    private static func isOwn(_ path: String) -> Bool {
        // Of a link these are the link's own.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let owner = (attributes?[.ownerAccountID] as? NSNumber)?.uint32Value
        let rights = (attributes?[.posixPermissions] as? NSNumber)?.uint16Value
        return attributes?[.type] as? FileAttributeType == .typeDirectory && owner == getuid()
            && rights.map { $0 & 0o022 == 0 } ?? false
    }

    private static func handle(_ descriptor: Int32) throws -> FileHandle {
        guard descriptor >= 0 else { throw CocoaError(.fileNoSuchFile) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

/// Opens a file that only this user may read.
private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
#endif
