// SPDX-License-Identifier: MIT

internal import Onward

/// What a server has made of an action.
public enum SyncOutcome: Sendable, Hashable {
    /// It is an entry of the server's log.
    case confirmed
    /// It is not, and never will be; nil if the reason was lost with the server that had it.
    case refused(SyncRefusal?)
}
