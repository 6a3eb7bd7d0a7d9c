// SPDX-License-Identifier: MIT

import Onward
import OnwardCluster
import OnwardJournal

/// What a client wants, and what it was answered.
struct Operation {
    let store: Int
    let request: Request
    /// The client that waits for it; nil for what an effect proposes.
    let client: Int?
    var attempts = 0
    /// The version that it was accepted with.
    var accepted: CommitVersion?
    /// Whether it was refused as there was too much already.
    var isOverloaded = false
}
