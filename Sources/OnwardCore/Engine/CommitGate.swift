// SPDX-License-Identifier: MIT

/// Decides what a store shows: the extension point for time travel, pause and lock.
///
/// A store may have several, such as an inspector and one that undoes steps: they are asked in the order
/// in which they were attached, and the first that withholds an action has the last word; those after it
/// never see that action.
///
/// It is asked for every action that left the middleware chain, on the dispatching thread, outside
/// the lock, possibly on several threads at once. Through its ``CommitGateController`` it can install a
/// state.
public protocol CommitGate<State>: Sendable {
    /// The state of the stores it can steer.
    associatedtype State: Sendable

    /// Accepts an action, so that the reducers run, or withholds it, so that nothing changes.
    ///
    /// When a state is installed between the answer and the commit, an accepted action is asked
    /// about again, so that it never lands on a state it was not meant for. Where that happens a thousand times
    /// in a row, the action is refused and reported.
    ///
    /// Decide from the proposal alone. Actions dispatched here are judged too, at most as deep as
    /// ``Limits/middlewareDepth``.
    func decide(_ pending: PendingCommit) -> CommitGateDecision
}
