// SPDX-License-Identifier: MIT

import Onward

@testable import OnwardQueries

/// What an `Overlaid` must do with mutations: after each event everything is found out anew, from the first mutation to
/// the last.
struct SendingModel {
    struct Waiting {
        let id: Int
        var mutation: SimulatedRename
        var isRefused = false
        /// Whether it could not be stored.
        var isBlocked = false
        var isSending = false
        /// Whether the server may have it.
        var wasSent = false

        var isUnsent: Bool { !isRefused && !isBlocked && !isSending && !wasSent }
    }

    var pending: [Waiting] = []
    var isOnline = true
    var isPaused = false

    /// Whether a mutation is taken as one of its own, and not merged with one that waits.
    mutating func enqueue(_ mutation: SimulatedRename, id: Int) -> Bool {
        isPaused = false
        for index in pending.indices.reversed() where pending[index].isUnsent {
            switch pending[index].mutation.merged(with: mutation) {
            case .both: continue
            case .one(let both): pending[index].mutation = both
            case .neither: pending.remove(at: index)
            }
            return false
        }
        pending.append(Waiting(id: id, mutation: mutation))
        return true
    }

    mutating func sent(_ id: Int) { change(id) { $0.wasSent = true } }

    mutating func end(_ id: Int) { pending.removeAll { $0.id == id } }

    mutating func refuse(_ id: Int) {
        change(id) { ($0.isRefused, $0.isSending) = (true, false) }
    }

    mutating func pause(_ id: Int) {
        guard pending.contains(where: { $0.id == id && $0.isSending }) else { return }
        change(id) { $0.isSending = false }
        isPaused = true
    }

    mutating func block(_ id: Int) {
        change(id) { if $0.isSending { ($0.isBlocked, $0.isSending) = (true, false) } }
    }

    mutating func start() {
        for index in pending.indices { pending[index].isBlocked = false }
    }

    mutating func resend(_ id: Int, _ mutation: SimulatedRename, as new: Int) {
        end(id)
        pending.append(Waiting(id: new, mutation: mutation))
        isPaused = false
    }

    mutating func connect(_ isOnline: Bool) {
        self.isOnline = isOnline
        if isOnline {
            isPaused = false
            start()
        } else {
            for index in pending.indices { pending[index].isSending = false }
        }
    }

    mutating func clear() { (pending, isPaused) = ([], false) }

    private mutating func change(_ id: Int, _ change: (inout Waiting) -> Void) {
        if let index = pending.firstIndex(where: { $0.id == id }) { change(&pending[index]) }
    }

    /// What is shown over the confirmed data after an event, and then what is sent.
    mutating func settle(over confirmed: Server) -> Server {
        var shown = confirmed
        var busy: Set<Int> = []
        for index in pending.indices where !pending[index].isRefused {
            if pending[index].isUnsent {
                pending[index].mutation = pending[index].mutation.revised(over: shown)
            }
            pending[index].mutation.apply(to: &shown)
            let isFirst = busy.insert(pending[index].mutation.id).inserted
            let isKeptBack = pending[index].isBlocked || isPaused && !pending[index].isSending
            pending[index].isSending = isFirst && isOnline && !isKeptBack
        }
        return shown
    }

    /// What is wrong with the mutations of some data; nil if nothing is.
    func difference(from server: Overlaid<Server>) -> String? {
        guard server.pending.map(\.id) == pending.map(\.id) else {
            return "other mutations are pending"
        }
        if server.isPaused != isPaused { return "it is \(isPaused ? "not " : "")paused" }
        for (mutation, expected) in zip(server.pending, pending) {
            let phase = mutation.phase
            let isRight =
                (phase == .refused) == expected.isRefused
                && (phase == .blocked) == expected.isBlocked
                && (phase == .sending) == expected.isSending
            if !isRight { return "\(mutation.id) is \(phase)" }
            if mutation.mutation as? SimulatedRename != expected.mutation {
                return "\(mutation.mutation) is to be sent, and not \(expected.mutation)"
            }
        }
        let keys = server.pending.compactMap(\.key)
        return Set(keys).count == pending.count ? nil : "mutations share a key, or have none"
    }
}
