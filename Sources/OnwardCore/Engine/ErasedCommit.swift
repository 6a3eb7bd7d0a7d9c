// SPDX-License-Identifier: MIT

/// A commit without the state's type, as it stands in the commit log.
final class ErasedCommit: Sendable {
    let entry: Entry
    let before: ValueCopy?
    let after: ValueCopy?
    /// How many deliveries led to it.
    let generation: Int
    /// The actions that led to it; kept only near the limit.
    let cause: DispatchChain?

    init(
        _ entry: Entry, before: ValueCopy? = nil, after: ValueCopy? = nil, generation: Int = 0,
        cause: DispatchChain? = nil
    ) {
        self.entry = entry
        self.before = before
        self.after = after
        self.generation = generation
        self.cause = cause
    }
}
