// SPDX-License-Identifier: MIT

/// Reads every entry of a store's log: the extension point for journals, histories, statistics, inspectors.
///
/// A store may have any number. Each reads every commit, in the order of the commits, one at a time, outside the
/// lock: mostly on the thread that committed, before the subscribers of that commit, in a batch too. While another
/// thread is calling an observer, that one goes on with what is committed meanwhile, and subscribers may come first.
///
/// So many commits as ``Limits/waitingCommits`` says may wait for an observer. Then a thread waits before it
/// commits the next one, unless an observer is being called on it. So an observer must not wait for a thread that
/// dispatches.
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
