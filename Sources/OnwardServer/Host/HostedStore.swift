// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal

/// A store as it is hosted, with what keeps it if anything does.
struct HostedStore<State: Sendable>: Sendable {
    let store: Store<State>
    /// What a journal does for it; nil where none keeps it.
    let keeping: Keeping?
    /// Ends the store, and closes its journal.
    let shutdown: @Sendable () async -> Void

    /// What a journal does for a store.
    struct Keeping: Sendable {
        /// Returns once everything that was committed before the call has reached its level.
        let flush: @Sendable () async throws(JournalError) -> Void
        /// The requests that the newest entries of the journal come from.
        let requests: @Sendable () async throws(JournalError) -> [String]
    }
}

extension HostedStore {
    /// A store that nothing keeps.
    init(_ store: Store<State>) {
        self.init(store: store, keeping: nil) { await store.shutdown() }
    }

    /// A store that a journal keeps.
    init(_ persistence: Persistence<State>) where State: Codable {
        let keeping = Keeping(
            flush: { () async throws(JournalError) in try await persistence.flush() },
            requests: { () async throws(JournalError) in try await persistence.journal.requests() })
        self.init(store: persistence.store, keeping: keeping) {
            // What is in the way was reported when it came.
            try? await persistence.shutdown()
        }
    }
}
#endif
