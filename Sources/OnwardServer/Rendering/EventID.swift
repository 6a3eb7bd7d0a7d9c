// SPDX-License-Identifier: MIT
#if Server

import Onward

/// Identifies a page that a reader has: the epoch of the store's server and the store's version.
///
/// Versions start over whenever a store starts; the epoch distinguishes one lifetime from the
/// next.
struct EventID: Hashable, Sendable, LosslessStringConvertible {
    let epoch: String
    let version: CommitVersion

    init(epoch: String, version: CommitVersion) {
        self.epoch = epoch
        self.version = version
    }

    init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let version = CommitVersion(parts[1]) else {
            return nil
        }
        self.init(epoch: String(parts[0]), version: version)
    }

    var description: String { "\(epoch)-\(version)" }
}
#endif
