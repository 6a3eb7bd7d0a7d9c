// SPDX-License-Identifier: MIT

public import Onward

/// How a client stands with its server: the state of ``SyncedStore/status``.
public struct SyncStatus: Sendable, Hashable {
    /// Whether the server answers.
    public var isOnline = false
    /// How many own actions the server has not decided, as far as is known: also what a `dispatch` that has
    /// returned has just added.
    public var pending = 0
    /// Why this client can't get in step, although the server answers; nil if it can.
    public var problem: SyncProblem?
    /// How many of them don't show, as a check refuses them on what others have done meanwhile.
    public var hidden = 0
    /// The version of the server's log that is confirmed here.
    public var confirmed: CommitVersion = 0
    /// How many own actions the server has refused since the start.
    public var refused = 0
    /// The last refusal of an own action; nil if there was none, or its reason was lost.
    public var lastRefusal: SyncRefusal?
    /// Why nothing can be kept on this device; nil if it can.
    public var failure: String?
}

/// What happens to a ``SyncStatus``.
enum SyncStatusAction: Action {
    /// An own action was dispatched.
    case dispatched
    /// So many are no longer pending, and everything else is as given.
    case changed(SyncStatus, settled: Int)
}

extension SyncStatus {
    mutating func reduce(_ action: SyncStatusAction) {
        switch action {
        case .dispatched: pending += 1
        case .changed(let new, let settled):
            let rest = pending - settled
            self = new
            pending = rest
        }
    }
}
