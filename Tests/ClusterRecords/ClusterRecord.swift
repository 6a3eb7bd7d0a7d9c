// SPDX-License-Identifier: MIT

package import Onward

/// What a client of a cluster has done or seen: a line of the file that is compared with the logs afterwards.
package enum ClusterRecord: Codable, Sendable, Hashable {
    /// A line was proposed; its version where it was said to be accepted, nil where nobody ever said so.
    case proposed(line: String, store: String, version: CommitVersion?)
    /// A node showed these lines; behind a version that it had accepted, where one is given.
    case seen(Lines, store: String, node: String, after: CommitVersion?)
    /// What a node shows when everything has come to an end.
    case last(Lines, store: String, node: String)

    package var store: String {
        switch self {
        case .proposed(_, let store, _), .seen(_, let store, _, _), .last(_, let store, _): store
        }
    }
}
