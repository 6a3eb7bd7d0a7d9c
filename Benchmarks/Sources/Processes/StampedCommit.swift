// SPDX-License-Identifier: MIT

/// A commit of the server's store.
package struct StampedCommit {
    package let version: Int
    /// When it was dispatched, on ``Machine/now``.
    package let nanoseconds: Int

    /// A commit with the time of its dispatch.
    package init(version: Int, nanoseconds: Int) {
        (self.version, self.nanoseconds) = (version, nanoseconds)
    }
}
