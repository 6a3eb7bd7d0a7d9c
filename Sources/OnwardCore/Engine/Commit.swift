// SPDX-License-Identifier: MIT

/// One commit as an observer gets it.
///
/// As long as it is kept, so are the states that any observer has asked for.
public struct Commit<State: Sendable>: Sendable {
    // Nothing of the state's type, whose layout would be looked up for each commit.
    @usableFromInline let commit: ErasedCommit
    private let needs: ObserverNeeds

    init(_ commit: ErasedCommit, needs: ObserverNeeds) {
        self.commit = commit
        self.needs = needs
    }

    /// What is written into the log.
    @inlinable public var entry: Entry { commit.entry }

    /// The state before it; nil unless asked for with ``ObserverNeeds/before``.
    public var before: State? { needs.contains(.before) ? read(commit.before) : nil }

    /// The state after it; nil unless asked for with ``ObserverNeeds/after``, or where a state was installed.
    public var after: State? {
        needs.contains(.after) || entry.kind == .travel ? read(commit.after) : nil
    }

    private func read(_ copy: ValueCopy?) -> State? {
        copy?.withPointer { $0.assumingMemoryBound(to: State.self).pointee }
    }
}

/// A commit without the state's type, as it stands in the commit log.
@usableFromInline
final class ErasedCommit: Sendable {
    @usableFromInline let entry: Entry
    let before: ValueCopy?
    let after: ValueCopy?
    /// How many deliveries led to it.
    let generation: Int
    /// The actions that led to it; kept only near the limit.
    let chain: DispatchChain?

    init(
        _ entry: Entry, before: ValueCopy? = nil, after: ValueCopy? = nil, generation: Int = 0,
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
    /// The instance it is meant for.
    public let address: Address
    /// Where it was dispatched.
    public let origin: Origin
    /// The entry during whose delivery it was dispatched; nil when there was none.
    public let parent: Version?
}
