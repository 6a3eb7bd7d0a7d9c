// SPDX-License-Identifier: MIT

/// Reads every entry of a store's log: the door for journals, histories, statistics, inspectors.
///
/// A store may have any number. Observers are called outside the lock, in version order, one commit
/// at a time, before the subscribers of that commit, by the thread that delivers. No entry is left
/// out, not even in a batch, which is notified at its end.
public protocol CommitObserver<State>: Sendable {
    /// The state of the stores it can observe.
    associatedtype State: Sendable

    /// What it needs besides the entry; read once, when it is attached.
    var needs: ObserverNeeds { get }

    /// Takes note of a commit.
    func observe(_ commit: Commit<State>)
}

extension CommitObserver {
    /// Nothing besides the entry.
    public var needs: ObserverNeeds { [] }
}
