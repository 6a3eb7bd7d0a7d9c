// SPDX-License-Identifier: MIT

/// Why a client can't get in step with its server, although that answers.
///
/// A ``SyncTransport`` throws one where it knows of it.
public enum SyncProblem: String, Error, Hashable, Codable, CustomStringConvertible {
    /// The server doesn't let this client in: its token is unknown to it, or no longer good.
    case notAdmitted
    /// The server has as many sessions as it may (``SyncLimits/sessions``); the client asks again.
    case tooManySessions
    /// The server remembers as many runs of clients as it may (``SyncLimits/runs``): what is pending here stays
    /// so until the server may remember more.
    case tooManyRuns
    /// What the server has to send is larger than ``SyncLimits/stateBytes``.
    case tooLarge
    /// This program can't read what the server sends: it is older than the server, or its limits are lower. What is
    /// pending stays so until a program that can is told what became of it.
    case unreadable

    /// A sentence that describes the problem.
    public var description: String {
        switch self {
        case .notAdmitted: "The server doesn't let this client in."
        case .tooManySessions: "The server has as many clients as it may."
        case .tooManyRuns: "The server can't remember what one more client proposes."
        case .tooLarge: "What the server has to send is too large."
        case .unreadable: "This program can't read what the server sends."
        }
    }
}
