// SPDX-License-Identifier: MIT

internal import Foundation

extension SavingError {
    /// Writes a line to standard error.
    @Sendable
    public static func print(_ error: SavingError) {
        FileHandle.standardError.write(Data("\(error.description)\n".utf8))
    }
}
