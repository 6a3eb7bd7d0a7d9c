// SPDX-License-Identifier: MIT
#if Server

import NIOCore

/// Which connections are open, and which have to be closed when there are too many: a pure
/// machine.
struct ConnectionTable: Sendable {
    private struct Entry {
        let address: ClientAddress
        var phase = ConnectionDeadlines.Phase.quiet
        var since: NIODeadline
    }

    /// What becomes of a new connection.
    struct Admission: Hashable {
        /// Whether it may stay.
        var isAdmitted = true
        /// The connections that have to be closed.
        var leaving: [Int] = []
    }

    /// The largest number of connections, in total and of one address.
    let limit, limitPerAddress: Int
    private var entries: [Int: Entry] = [:]
    private var counts: [ClientAddress: Int] = [:]

    init(limit: Int, perAddress: Int) {
        self.limit = limit
        self.limitPerAddress = perAddress
    }

    var count: Int { entries.count }

    /// Adds a connection that opens, unless it isn't admitted.
    ///
    /// When connections leave, they make room for an eighth of the limit at once, so that in a
    /// flood not every new connection requires examining all of them.
    ///
    /// - Complexity: O(1); O(*n* log *n*) when there are too many.
    mutating func open(
        _ id: Int, of address: ClientAddress, at now: NIODeadline
    ) -> Admission {
        var admission = Admission()
        if counts[address, default: 0] >= limitPerAddress {
            admission.leaving = leave(limitPerAddress / 8 + 1) { $0.address == address }
            admission.isAdmitted = !admission.leaving.isEmpty
        }
        guard admission.isAdmitted else { return admission }
        if entries.count >= limit {
            admission.leaving += leave(limit / 8 + 1) { _ in true }
        }
        entries[id] = Entry(address: address, since: now)
        counts[address, default: 0] += 1
        return admission
    }

    /// Notes that a connection does something else now.
    mutating func change(_ id: Int, to phase: ConnectionDeadlines.Phase, at now: NIODeadline) {
        entries[id]?.phase = phase
        entries[id]?.since = now
    }

    /// Removes a closed connection.
    mutating func close(_ id: Int) {
        guard let address = entries.removeValue(forKey: id)?.address else { return }
        counts[address, default: 0] -= 1
        if counts[address] == 0 { counts[address] = nil }
    }

    /// Removes those with nothing in progress, or else those that are still sending; the longest in
    /// that phase first.
    private mutating func leave(_ number: Int, where isMeant: (_ entry: Entry) -> Bool) -> [Int] {
        for phase in [ConnectionDeadlines.Phase.quiet, .receiving] {
            let candidates = entries.filter { $0.value.phase == phase && isMeant($0.value) }
                .sorted { $0.value.since < $1.value.since }
            guard !candidates.isEmpty else { continue }
            // At most one sending connection is closed for each one that arrives.
            let leaving = candidates.prefix(phase == .quiet ? number : 1).map(\.key)
            leaving.forEach { close($0) }
            return leaving
        }
        return []
    }
}
#endif
