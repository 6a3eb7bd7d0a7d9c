// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardSync

/// What an own action of a client takes, beside one of the same store with a journal.
///
/// The client is offline, as what it keeps and encodes for the server is part of the action, and what the server makes of it
/// isn't. Everything is kept at the end, a hundred actions at a time.
enum OwnAction {
    static func dispatch(_ count: Int, isSynced: Bool) async throws {
        if isSynced {
            let network = MemoryTransport { throw MemoryTransport.CutOff() }
            var options = SyncOptions<Table>()
            options.limits.pending = 1_000_000
            let synced = try await SyncedStore(
                of: Table(rows: 1_000), over: network, in: MemoryJournal(), options: options
            ) { table }
            try await dispatch(count, to: synced.store)
            await synced.stop()
        } else {
            let kept = try await Persistence(of: Table(rows: 1_000), in: MemoryJournal()) { table }
            try await dispatch(count, to: kept.store)
            try await kept.shutdown()
        }
    }

    private static func dispatch(_ count: Int, to store: Store<Table>) async throws {
        for number in 0..<count {
            store.dispatch(TableAction.set(id: number % 1_000, number: number))
            if number % 100 == 99 { try await store.flush(.memory) }
        }
        try await store.flush(.memory)
    }
}
