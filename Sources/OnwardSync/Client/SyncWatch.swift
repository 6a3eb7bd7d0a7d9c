// SPDX-License-Identifier: MIT

internal import Onward

/// What a client has confirmed and pending, for readers that can't wait for its actor.
///
/// The client fills it after each change, as long as anybody holds it, which costs O(pending actions); without
/// one it does nothing. It doesn't keep the client alive.
package final class SyncWatch<State: Codable & Sendable>: Sendable {
    private struct Contents {
        var status: SyncStatus
        var machine: ClientMachine<StoreSyncFeatures<State>>
        var revision: UInt64 = 0
    }

    private let contents: Guarded<Contents>

    init(_ status: SyncStatus, _ machine: ClientMachine<StoreSyncFeatures<State>>) {
        contents = Guarded(Contents(status: status, machine: machine))
    }

    /// Grows with each change.
    package var revision: UInt64 { contents.withValue(\.revision) }

    func note(_ status: SyncStatus, _ machine: ClientMachine<StoreSyncFeatures<State>>) {
        // What was there is released outside the lock.
        let old = contents.withValue { contents in
            defer {
                contents = Contents(
                    status: status, machine: machine, revision: contents.revision + 1)
            }
            return contents
        }
        withExtendedLifetime(old) {}
    }

    /// What the client has now.
    ///
    /// - Complexity: O(pending actions), each as much as its checks and reducers.
    package func look() -> SyncLook<State> {
        let contents = contents.withValue(\.self)
        var machine = contents.machine
        let shown = machine.shownState()
        var status = contents.status
        status.pending = machine.pending.count
        status.hidden = machine.pending.count { $0.isHidden }
        return SyncLook(
            status: status, confirmed: machine.confirmed, shown: shown,
            pending: machine.pending.map { item in
                SyncLook.Pending(
                    id: item.proposal.id, name: item.proposal.action.name,
                    payload: item.proposal.action.payload,
                    address: item.proposal.action.address, isReadable: item.action != nil,
                    isHidden: item.isHidden, isSent: item.isSent)
            })
    }
}

/// What a client has at a moment.
package struct SyncLook<State: Sendable>: Sendable {
    /// An action that the server has not decided.
    package struct Pending: Sendable {
        package let id: ProposalID
        /// The name of its type; for an enum, followed by "/" and the case.
        package let name: String
        /// The payload in CBOR, with the stamp.
        package let payload: [UInt8]
        /// The text of the address; empty for the root.
        package let address: String
        /// Whether this program has such an action.
        package let isReadable: Bool
        /// Whether it doesn't show, as a check refuses it on what others have done meanwhile.
        package let isHidden: Bool
        /// Whether it was sent since the client is connected.
        package let isSent: Bool
    }

    package let status: SyncStatus
    package let confirmed: State
    /// What is pending, folded over what is confirmed; local slices are as there.
    package let shown: State
    /// What is pending, in order.
    package let pending: [Pending]
}
