// SPDX-License-Identifier: MIT

public import Onward
public import OnwardJournal

/// The origin of durable work, and its way to report back.
public struct DurableContext: Sendable {
    /// The entry that began the work: the same each time it is restarted, on any node.
    ///
    /// It allows the outside world to detect a repeated request.
    public let id: EntryID
    /// The instance that the entry's action was for.
    public let address: Address
    let propose: @Sendable (any Action, Address, ActionOrigin) async -> ProposalOutcome

    /// Proposes an action, and returns the outcome.
    ///
    /// If the node has lost the store in the meantime, the proposal is refused as
    /// ``ProposalRefusal/expired``: the next owner restarts the work.
    ///
    /// - Parameters:
    ///   - action: What happened.
    ///   - instance: The instance that the action is for; nil for the one that the work belongs to.
    ///   - file: The source file, for the entry.
    ///   - line: The source line, for the entry.
    /// - Returns: The outcome of the proposal.
    @discardableResult
    public func propose(
        _ action: some Action, to instance: Address? = nil, file: String = #fileID,
        line: Int = #line
    ) async -> ProposalOutcome {
        await propose(action, instance ?? address, ActionOrigin(file: file, line: line))
    }
}
