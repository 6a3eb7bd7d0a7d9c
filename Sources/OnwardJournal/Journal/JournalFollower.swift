// SPDX-License-Identifier: MIT

internal import Onward

/// The entries of a journal from a version on, including future ones.
///
/// It reads the journal one page at a time, so a slow reader only needs memory for one page.
public struct JournalFollower<Source: Journal>: AsyncSequence, Sendable {
    /// An entry of the journal.
    public typealias Element = JournalEntry
    /// The error that reading throws; never `.closed`, which ends the sequence.
    public typealias Failure = JournalError

    let journal: Source
    let next: CommitVersion

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(journal: journal, next: next)
    }

    /// A reader at a position.
    public struct Iterator: AsyncIteratorProtocol {
        private let journal: Source
        /// The version that is read next after the page.
        private var next: CommitVersion
        private var page: ArraySlice<JournalEntry> = []

        init(journal: Source, next: CommitVersion) {
            self.journal = journal
            self.next = Swift.max(next, 1)
        }

        /// Returns the next entry, as soon as there is one, or nil once the journal is closed or
        /// the task is cancelled.
        ///
        /// - Throws: ``JournalError`` of the journal.
        public mutating func next() async throws(JournalError) -> JournalEntry? {
            try await next(isolation: nil)
        }

        /// Returns the next entry, read on the caller's actor.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(JournalError) -> JournalEntry? {
            while page.isEmpty {
                if Task.isCancelled { return nil }
                do {
                    page = try await journal.entries(from: next, limit: 256)[...]
                    if page.isEmpty { try await journal.wait(after: next - 1) }
                } catch  where error.code == .closed {
                    return nil
                }
            }
            let entry = page.removeFirst()
            next = entry.version + 1
            return entry
        }
    }
}
