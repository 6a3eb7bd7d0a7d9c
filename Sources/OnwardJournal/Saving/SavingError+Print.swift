// SPDX-License-Identifier: MIT

internal import Onward

extension SavingError {
    /// Writes a line to standard error.
    @Sendable
    public static func print(_ error: SavingError) {
        StandardError.say(error)
    }
}
