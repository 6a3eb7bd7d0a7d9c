// SPDX-License-Identifier: MIT

/// Why the server didn't do what it was asked for.
public enum Problem: Error, Codable, Equatable, Sendable {
    /// No answer, none within thirty seconds, or none that can be read.
    case unreachable, timedOut, unreadable
    /// An answer with a status from 400 to 599, and what it said, if that can be read.
    case refused(status: Int, reason: String?)

    /// Whether the server decided; otherwise the same may be sent again.
    public var isRefusal: Bool { if case .refused = self { true } else { false } }

    /// The reason in one sentence.
    public var reason: String {
        switch self {
        case .unreachable: "The server can't be reached."
        case .timedOut: "The server took too long to answer."
        case .unreadable: "The server's answer makes no sense."
        case .refused(let status, let reason):
            "The server refused it (\(status))." + (reason.map { " " + $0 } ?? "")
        }
    }
}
