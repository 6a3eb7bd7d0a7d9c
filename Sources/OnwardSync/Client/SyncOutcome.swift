// SPDX-License-Identifier: MIT

internal import Onward

/// What a server has made of an action.
public enum SyncOutcome: Sendable, Hashable {
    /// The next action was dispatched before this one was sent, and stands for both
    /// (``SyncOptions/compact(_:when:)``).
    case replaced
    /// It is an entry of the server's log.
    case confirmed
    /// It is not, and never will be; nil if the reason was lost with the server that had it.
    case refused(SyncRefusal?)
}
