// SPDX-License-Identifier: MIT

#if os(Linux) || os(macOS)
import Foundation
import OnwardJournal
import Testing

@Suite struct JournalErrorTests {
    @Test func `printing an error does no harm where nothing can be written`() async {
        await #expect(processExitsWith: .success) {
            close(STDERR_FILENO)
            JournalError.print(JournalError(.closed, "The journal is closed."))
            SavingError.print(SavingError(.unwritable, "The disk is full."))
        }
    }
}
#endif
