// SPDX-License-Identifier: MIT
#if Server

import Foundation
import Onward

/// A file that an effect has taken: it is removed when nobody holds this value any more, unless it
/// was moved.
public final class TakenFile: Sendable {
    /// What is known of it.
    public let file: UploadedFile
    /// Where it is, for programs that read it piece by piece.
    public let path: String
    private let folder: UploadFolder
    private let isMoved = Guarded(false)

    init(_ file: UploadedFile, in folder: UploadFolder) {
        self.file = file
        self.folder = folder
        path = folder.path(of: file.id)
    }

    deinit {
        if !isMoved.withValue({ $0 }) { folder.remove([file.id]) }
    }

    /// Reads it as a whole.
    ///
    /// - Returns: Its bytes.
    /// - Throws: ``UploadError`` if it can't be read, or was moved.
    /// - Complexity: O(bytes), in memory as well: at most ``UploadLimits/bytesPerFile``.
    public func bytes() async throws(UploadError) -> [UInt8] {
        let path = path
        return try await folder.perform(about: file.name) {
            Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    /// Moves it to where it stays.
    ///
    /// Choose the name yourself: that of the visitor may be anybody's.
    ///
    /// - Parameter destination: A path at which nothing is yet.
    /// - Throws: ``UploadError`` if it can't be moved; then it is where it was.
    public func move(to destination: String) async throws(UploadError) {
        let path = path
        try await folder.perform(about: file.name) {
            try FileManager.default.moveItem(atPath: path, toPath: destination)
        }
        isMoved.withValue { $0 = true }
    }
}
#endif
