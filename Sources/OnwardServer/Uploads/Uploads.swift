// SPDX-License-Identifier: MIT
#if Server

import Foundation
import Onward

/// The files that visitors sent, until effects take them.
///
/// One value belongs to the server and to the features that want the files:
///
/// ```swift
/// let uploads = Uploads()
/// var options = ServerOptions()
/// options.uploads = uploads
/// let store = Store(Album()) { album(uploads) }
///
/// func album(_ uploads: Uploads) -> Feature<Album> {
///     Feature {
///         Reduce { … }
///         OnAction { (action: AlbumAction, context) in
///             guard case .add(_, let picture) = action else { return .none }
///             return .run {
///                 let bytes = try await uploads.take(picture).bytes()
///                 context.dispatch(AlbumAction.added(try await library.store(bytes)))
///             }
///         }
///     }
/// }
/// ```
///
/// A file waits for an hour, in a folder of temporary files on the node that received it, and is
/// there once: whoever takes it first has it. A file that isn't taken, or whose post isn't
/// dispatched, is removed. What a run of the program leaves behind that was killed is removed when
/// the next one starts; files of a process that lives never are.
///
/// A replay starts no effects, so it takes nothing.
public final class Uploads: Sendable {
    private let folder: UploadFolder
    private let table: Guarded<UploadTable>
    private let stopwatch: Stopwatch

    /// Creates a place for files; the folder is made when a server starts, or with the first file.
    ///
    /// - Parameters:
    ///   - folder: A folder for nothing else, which several programs of one user may share; nil for
    ///     one among the system's temporary files.
    ///   - lifetime: How long a file waits to be taken.
    ///   - clock: Measures the time.
    public init(
        in folder: String? = nil, lifetime: Duration = .seconds(3_600),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.folder = UploadFolder(in: folder)
        table = Guarded(UploadTable(lifetime: lifetime))
        stopwatch = Stopwatch(clock)
    }

    /// Takes a file, which nobody else can take from then on.
    ///
    /// - Parameter file: The value from the action.
    /// - Returns: The file, which is removed with this value unless it is moved.
    /// - Throws: ``UploadError`` if it isn't there: it was taken, has expired, or was received by
    ///   another node.
    public func take(_ file: UploadedFile) async throws(UploadError) -> TakenFile {
        guard file.id.hasPrefix("\(folder.run)-") else {
            throw UploadError(code: .elsewhere, name: file.name)
        }
        let now = stopwatch.elapsed()
        let code = table.withValue { $0.take(file, at: now) }
        if let code { throw UploadError(code: code, name: file.name) }
        return TakenFile(file, in: folder)
    }

    /// Adds a file as if a visitor had sent it, for tests of the effects that take it.
    ///
    /// - Parameters:
    ///   - bytes: Its contents.
    ///   - name: Its name; it is cleaned like that of a visitor.
    /// - Returns: The value for an action.
    /// - Throws: ``UploadError`` if it can't be written.
    public func add(_ bytes: [UInt8], named name: String) async throws(UploadError) -> UploadedFile
    {
        var limits = UploadLimits()
        (limits.bytesPerFile, limits.bytesPerVisitor, limits.bytes) = (.max, .max, .max)
        let owner = UploadTable.Owner(visitor: nil, address: .local)
        do {
            var file = try await begin(name, for: owner, within: limits)
            do {
                try await file.write(bytes)
                return try await file.finish()
            } catch {
                file.discard()
                throw error
            }
        } catch {
            throw UploadError(code: .unusable, name: name)
        }
    }

    /// Makes the folder, and removes what earlier runs have left behind.
    ///
    /// - Throws: ``UploadError`` if the folder can't be used.
    func open() async throws(UploadError) { try await folder.open() }

    /// Removes what has expired.
    func removeExpired() {
        let now = stopwatch.elapsed()
        folder.remove(table.withValue { $0.expire(at: now) })
    }

    /// Removes files that nobody will take.
    func discard(_ files: [UploadedFile]) {
        folder.remove(table.withValue { table in files.map(\.id).filter { table.discard($0) } })
    }

    /// How many files there are and how many bytes they have, as far as they are here.
    var amount: (files: Int, bytes: Int) { table.withValue { ($0.files, $0.bytes) } }

    /// Begins to receive a file.
    ///
    /// - Throws: ``Failure`` if there is no room, or it can't be created.
    func begin(
        _ name: String, for owner: UploadTable.Owner, within limits: UploadLimits
    ) async throws(Failure) -> ArrivingFile {
        removeExpired()
        let id = "\(folder.run)-\(RandomID())"
        let refusal = table.withValue { $0.begin(id, for: owner, within: limits) }
        if let refusal { throw .refused(refusal) }
        do {
            try await folder.open()
            let handle = try await folder.create(id)
            return ArrivingFile(
                id: id, name: UploadName.clean(name), uploads: self, limits: limits, handle: handle)
        } catch {
            _ = table.withValue { $0.discard(id) }
            throw .unusable(error)
        }
    }

    /// Why a file doesn't arrive.
    enum Failure: Error {
        case refused(UploadTable.Refusal)
        case unusable(UploadError)
    }

    /// A file that is being received: in the end it is finished or discarded.
    struct ArrivingFile {
        let id: String
        let name: String
        fileprivate let uploads: Uploads
        fileprivate let limits: UploadLimits
        fileprivate let handle: FileHandle
        private var hash = SHA256()
        private var size = 0

        fileprivate init(
            id: String, name: String, uploads: Uploads, limits: UploadLimits, handle: FileHandle
        ) {
            (self.id, self.name, self.uploads) = (id, name, uploads)
            (self.limits, self.handle) = (limits, handle)
        }

        /// Writes what has arrived of it.
        ///
        /// - Throws: ``Failure`` if that is too much, or can't be written.
        mutating func write(_ bytes: [UInt8]) async throws(Failure) {
            let refusal = uploads.table.withValue {
                $0.grow(id, by: bytes.count, within: limits)
            }
            if let refusal { throw .refused(refusal) }
            hash.add(bytes)
            size += bytes.count
            do {
                try await uploads.folder.write(bytes, to: handle, id: name)
            } catch {
                throw .unusable(error)
            }
        }

        /// Closes it, to wait until it is taken.
        ///
        /// - Throws: ``Failure`` if it can't be written.
        func finish() async throws(Failure) -> UploadedFile {
            let handle = handle
            do {
                try await uploads.folder.perform(about: name) { try handle.close() }
            } catch {
                throw .unusable(error)
            }
            let file = UploadedFile(
                id: id, name: name, size: size, sha256: hash.finish().hexadecimal)
            let now = uploads.stopwatch.elapsed()
            uploads.table.withValue { $0.finish(file, at: now) }
            return file
        }

        /// Removes it.
        func discard() {
            try? handle.close()
            if uploads.table.withValue({ $0.discard(id) }) { uploads.folder.remove([id]) }
        }
    }
}
#endif
