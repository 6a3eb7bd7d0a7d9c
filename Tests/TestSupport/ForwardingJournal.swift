// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal

/// A journal that hands every call on to another one, but for those that it answers itself.
protocol ForwardingJournal: Journal {
    associatedtype Base: Journal
    var base: Base { get }
}

extension ForwardingJournal {
    var durability: Durability { base.durability }
    var replayMarkPath: String? { base.replayMarkPath }
    func lastPosition() async throws(JournalError) -> JournalPosition {
        try await base.lastPosition()
    }
    func append(
        _ entries: [JournalEntry], after expected: JournalPosition
    ) async throws(JournalError) {
        try await base.append(entries, after: expected)
    }
    func entries(from version: CommitVersion, limit: Int) async throws(JournalError)
        -> [JournalEntry]
    {
        try await base.entries(from: version, limit: limit)
    }
    func wait(after version: CommitVersion) async throws(JournalError) {
        try await base.wait(after: version)
    }
    func snapshot(at version: CommitVersion) async throws(JournalError) -> JournalSnapshot? {
        try await base.snapshot(at: version)
    }
    func store(_ snapshot: JournalSnapshot) async throws(JournalError) {
        try await base.store(snapshot)
    }
    func truncate(before version: CommitVersion) async throws(JournalError) {
        try await base.truncate(before: version)
    }
    func erase(
        _ entries: [JournalEntry], _ snapshots: [JournalSnapshot]
    ) async throws(JournalError) {
        try await base.erase(entries, snapshots)
    }
    func stores(anyOf texts: [[UInt8]]) async throws(JournalError) -> Bool {
        try await base.stores(anyOf: texts)
    }
    func close() async { await base.close() }
    func suspend() async { await base.suspend() }
    func resume() async throws(JournalError) { try await base.resume() }
}
