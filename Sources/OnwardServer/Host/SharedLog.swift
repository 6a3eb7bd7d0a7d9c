// SPDX-License-Identifier: MIT
#if Server

public import Onward

/// The log behind a store that several servers show, so that equal states have equal versions.
///
/// A page drawn by one server can continue at another, which sends what has changed since.
public struct SharedLog: Sendable {
    /// Identifies the log, and anything else that affects what is drawn: features, code.
    ///
    /// If servers differ in it, or in the page's templates, a page that continues is sent as a
    /// whole.
    public let name: String
    /// Returns the log's version for what a version of the store shows.
    ///
    /// At the same log version, the state is the same on each server.
    public let version: @Sendable (CommitVersion) -> CommitVersion

    /// Creates the description of a log.
    ///
    /// - Parameters:
    ///   - name: Identifies the log and what the servers have in common.
    ///   - version: The log's version for a recent version of the store; called on any thread.
    public init(name: String, version: @escaping @Sendable (CommitVersion) -> CommitVersion) {
        self.name = name
        self.version = version
    }
}
#endif
