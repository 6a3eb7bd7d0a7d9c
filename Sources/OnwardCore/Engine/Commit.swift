// SPDX-License-Identifier: MIT

/// A commit as an observer receives it.
///
/// Keeping it also keeps the states that any observer has asked for.
public struct Commit<State: Sendable>: Sendable {
    // Nothing of the state's type, whose layout would be looked up for each commit.
    @usableFromInline let commit: ErasedCommit
    private let needs: ObserverNeeds

    init(_ commit: ErasedCommit, needs: ObserverNeeds) {
        self.commit = commit
        self.needs = needs
    }

    /// The log entry.
    @inlinable public var entry: LogEntry { commit.entry }

    /// The state before the commit; nil unless requested with ``ObserverNeeds/before``.
    public var before: State? { needs.contains(.before) ? read(commit.before) : nil }

    /// The state after the commit; nil unless a state was installed or it was requested with
    /// ``ObserverNeeds/after``.
    public var after: State? {
        needs.contains(.after) || entry.kind == .travel ? read(commit.after) : nil
    }

    private func read(_ copy: ValueCopy?) -> State? {
        copy?.withPointer { $0.assumingMemoryBound(to: State.self).pointee }
    }
}

/// A commit without the state's type, as kept in the commit log.
@usableFromInline
final class ErasedCommit: Sendable {
    @usableFromInline let entry: LogEntry
    let before: ValueCopy?
    let after: ValueCopy?
    /// How many deliveries led to it.
    let generation: Int
    /// The actions that led to it; kept only near the limit.
    let chain: DispatchChain?

    init(
        _ entry: LogEntry, before: ValueCopy? = nil, after: ValueCopy? = nil, generation: Int = 0,
        chain: DispatchChain? = nil
    ) {
        self.entry = entry
        self.before = before
        self.after = after
        self.generation = generation
        self.chain = chain
    }
}

/// An action that a gate is asked about, before it is committed.
public struct PendingCommit: Sendable {
    /// The action as it left the middleware chain.
    public let action: any Action
    /// The instance that the action is meant for.
    public let address: Address
    /// Where the action was dispatched.
    public let origin: ActionOrigin
    /// The entry during whose delivery the action was dispatched; nil if there was none.
    public let parent: CommitVersion?
}
