// SPDX-License-Identifier: MIT

internal import Onward

extension JournalError {
    /// Writes a line to standard error.
    @Sendable
    public static func print(_ error: JournalError) {
        StandardError.say(error)
    }
}
