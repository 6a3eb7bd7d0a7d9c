// SPDX-License-Identifier: MIT

public import Foundation

/// The right of one program to a folder, until the object goes or the program ends.
public final class FolderLock: Sendable {
    /// Another program has the folder.
    public struct InUse: Error, CustomStringConvertible {
        let path: String

        /// The reason in one sentence.
        public var description: String { "Another memorytunes keeps its games in \(path)." }
    }

    private let descriptor: Int32

    /// Takes a folder, which is made if it isn't there.
    ///
    /// - Throws: ``InUse``, or the system's error.
    public init(_ folder: URL) throws {
        try folder.makePrivateFolder()
        let path = folder.appendingPathComponent("lock").path
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw InUse(path: folder.path)
        }
    }

    deinit { close(descriptor) }
}
