// SPDX-License-Identifier: MIT

import OnwardJournal
import OnwardTesting
import Testing

struct MemoryJournalStressTests {
    @Test func `keeps the contract of journals`() async throws {
        try await JournalContract.check { MemoryJournal() }
    }
}
