// SPDX-License-Identifier: MIT

/// The named journals of many stores: those of a server's visitors, or of an app's documents.
///
/// ```swift
/// let journals = try SQLiteJournals(in: "/var/lib/shop")
/// let app = try await Persistence(of: Shop(), in: journals.journal(named: "shop")) { shop }
/// ```
///
/// A name is any text from 1 to 64 bytes, even untrusted input: it can never lead outside.
/// Different names always have different journals.
public protocol Journals: Sendable {
    /// Opens the journal of a store for writing, creating an empty one if there is none.
    ///
    /// - Throws: ``JournalError/Code/locked`` while another object has it open;
    ///   ``JournalError/Code/invalid`` for a name that isn't allowed; errors of opening.
    func journal(named name: String) async throws(JournalError) -> any Journal

    /// Returns whether there is a journal with that name.
    func contains(_ name: String) async throws(JournalError) -> Bool

    /// Removes a journal with everything in it; does nothing if there is none.
    ///
    /// - Throws: ``JournalError/Code/locked`` unless the journal is closed.
    func remove(_ name: String) async throws(JournalError)

    /// Removes the journals that have not been written to for a while; those in use stay.
    ///
    /// - Complexity: O(journals).
    func removeUnused(for age: Duration) async throws(JournalError)
}
