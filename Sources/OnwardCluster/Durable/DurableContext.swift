// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// What durable work knows of its beginning, and how it reports back.
public struct DurableContext: Sendable {
    /// The entry that has begun it: the same whenever it is begun again, on whichever node.
    ///
    /// By it the outside world notices that something was asked for already.
    public let id: EntryID
    /// The instance that the entry's action was for.
    public let address: Address
    let propose: @Sendable (any Action, Address, Origin) async -> ProposalOutcome

    /// Proposes an action, and returns how that ends.
    ///
    /// Where the node has lost the store meanwhile it is refused as ``ProposalRefusal/expired``: the next owner begins the
    /// work again.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - instance: The instance that it is meant for; nil for the one that the work belongs to.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    /// - Returns: What became of it.
    @discardableResult
    public func propose(
        _ action: some Action, to instance: Address? = nil, file: String = #fileID,
        line: Int = #line
    ) async -> ProposalOutcome {
        await propose(action, instance ?? address, Origin(file: file, line: line))
    }
}
