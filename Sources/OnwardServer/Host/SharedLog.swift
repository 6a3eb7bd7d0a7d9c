// SPDX-License-Identifier: MIT
#if Server

public import Onward

/// The log that a store is made of, where several servers show it: they call the same state by the same version.
///
/// So a page that one of them has drawn goes on at another one, which sends what changed since.
public struct SharedLog: Sendable {
    /// Names the log, and what else decides what is drawn of it: features, code.
    ///
    /// Where servers differ in it, or in the page's templates, a page that goes on is sent as a whole.
    public let name: String
    /// The version in the log of what a version of the store shows.
    ///
    /// Of the same log version, the state is the same on each server.
    public let version: @Sendable (Version) -> Version

    /// A log.
    ///
    /// - Parameters:
    ///   - name: Names the log and what the servers have in common.
    ///   - version: The version in the log of what a recent version of the store shows; any thread.
    public init(name: String, version: @escaping @Sendable (Version) -> Version) {
        self.name = name
        self.version = version
    }
}
#endif
