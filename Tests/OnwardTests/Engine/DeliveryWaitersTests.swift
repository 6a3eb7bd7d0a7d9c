// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore

struct DeliveryWaitersTests {
    /// Adds a task for each commit, has `body` use the waiters, and resumes the
    /// tasks that `body` leaves.
    private func withWaiters(
        for commits: [CommitVersion], _ body: (inout DeliveryWaiters) -> Void
    ) async {
        var waiters = DeliveryWaiters()
        for commit in commits {
            // The continuation is resumed at once, as only the machine is of interest.
            await withCheckedContinuation { continuation in
                waiters.add(continuation, for: commit)
                if commit == commits.last { body(&waiters) }
                continuation.resume()
            }
        }
    }

    // Values that can't be copied are no arguments of `#expect`.
    private func isEmpty(_ waiters: borrowing DeliveryWaiters) -> Bool { waiters.isEmpty }

    private func take(_ waiters: inout DeliveryWaiters, upTo version: CommitVersion) -> Int {
        waiters.take(upTo: version).count
    }

    @Test func `is empty until a task waits`() async {
        let none = isEmpty(DeliveryWaiters())
        #expect(none)
        await withWaiters(for: [3]) { waiters in
            let one = isEmpty(waiters)
            #expect(!one)
        }
    }

    @Test func `gives the tasks whose commits have been notified`() async {
        await withWaiters(for: [3, 5, 7]) { waiters in
            let counts = ([2, 5, 6, 7] as [CommitVersion]).map { take(&waiters, upTo: $0) }
            #expect(counts == [0, 2, 0, 1])
            let isEmpty = isEmpty(waiters)
            #expect(isEmpty)
        }
    }
}
