// SPDX-License-Identifier: MIT

/// The journals of many stores, each under a name: those of a server's visitors, or of an app's documents.
///
/// ```swift
/// let journals = try SQLiteJournals(in: "/var/lib/shop")
/// let app = try await Persistence(of: Shop(), in: journals.journal(named: "shop")) { shop }
/// ```
///
/// A name is any text from 1 to 64 bytes, also one from outside: it never leads anywhere else. Names that differ have
/// journals that differ.
public protocol Journals: Sendable {
    /// The journal of a store, to be written; an empty one where there is none.
    ///
    /// - Throws: ``JournalError/Code/locked`` while another object has it that isn't closed;
    ///   ``JournalError/Code/invalid`` for a name that can't be one; what opening throws.
    func journal(named name: String) async throws(JournalError) -> any Journal

    /// Whether there is a journal of that name.
    func contains(_ name: String) async throws(JournalError) -> Bool

    /// Removes a journal with all it has; does nothing where there is none.
    ///
    /// - Throws: ``JournalError/Code/locked`` unless it is closed.
    func remove(_ name: String) async throws(JournalError)

    /// Removes the journals that nothing was written to for a time; those in use stay.
    ///
    /// - Complexity: O(journals).
    func removeUnused(for age: Duration) async throws(JournalError)
}
