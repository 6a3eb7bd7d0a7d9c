// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward

/// The open connections of a server: keeps the table, and closes those that it evicts.
///
/// Channels are closed after unlocking.
final class Connections: Sendable {
    private struct State {
        var table: ConnectionTable
        var channels: [Int: any Channel] = [:]
        var last = 0
    }

    /// The times that each connection must keep to.
    let deadlines: ConnectionDeadlines.Limits
    private let state: Guarded<State>

    init(_ limits: ServerLimits, stopDeadline: Duration = .seconds(10)) {
        deadlines = ConnectionDeadlines.Limits(limits, stopDeadline: stopDeadline)
        state = Guarded(
            State(
                table: ConnectionTable(
                    limit: limits.connections ?? 1, perAddress: limits.connectionsPerAddress ?? 1)))
    }

    /// How many there are.
    var count: Int { state.withValue { $0.table.count } }

    /// Adds a connection; nil if it may not stay and is being closed.
    func open(_ channel: any Channel) -> Int? {
        let address = ClientAddress(channel.remoteAddress)
        let (id, leaving) = state.withValue { state -> (Int?, [any Channel]) in
            state.last += 1
            let admission = state.table.open(state.last, of: address, at: .now())
            let leaving = admission.leaving.compactMap { state.channels.removeValue(forKey: $0) }
            guard admission.isAdmitted else { return (nil, leaving + [channel]) }
            state.channels[state.last] = channel
            return (state.last, leaving)
        }
        for channel in leaving { channel.close(promise: nil) }
        return id
    }

    /// Notes what a connection does.
    func change(_ id: Int, to phase: ConnectionDeadlines.Phase) {
        state.withValue { $0.table.change(id, to: phase, at: .now()) }
    }

    /// Forgets a connection.
    func close(_ id: Int) {
        let channel = state.withValue { state in
            state.table.close(id)
            return state.channels.removeValue(forKey: id)
        }
        _ = channel  // Let go outside of the lock.
    }
}
#endif
