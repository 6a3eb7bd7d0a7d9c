// SPDX-License-Identifier: MIT

/// One commit as an observer gets it.
public struct Commit<State: Sendable>: Sendable {
    /// What is written into the log.
    public let entry: Entry
    /// The state before it; nil unless asked for with ``ObserverNeeds/before``.
    public let before: State?
    /// The state after it; nil unless asked for with ``ObserverNeeds/after``, or where a state was installed.
    public let after: State?

    init(_ commit: ErasedCommit, needs: ObserverNeeds) {
        func read(_ copy: ValueCopy?) -> State? {
            copy?.withPointer { $0.assumingMemoryBound(to: State.self).pointee }
        }
        entry = commit.entry
        before = needs.contains(.before) ? read(commit.before) : nil
        after = needs.contains(.after) || entry.kind == .travel ? read(commit.after) : nil
    }
}
