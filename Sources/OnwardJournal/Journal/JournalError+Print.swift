// SPDX-License-Identifier: MIT

internal import Foundation

extension JournalError {
    /// Writes a line to standard error.
    @Sendable
    public static func print(_ error: JournalError) {
        FileHandle.standardError.write(Data("\(error.description)\n".utf8))
    }
}
