// SPDX-License-Identifier: MIT
#if All

import Onward
import OnwardJournal
import Testing

@testable import OnwardPostgres

extension PostgresTests {
    struct SharedReadingTests {
        @Test func `each of many readings at the same time gets what it would get alone`()
            async throws
        {
            let database = try await sharedDatabase()
            var journals: [PostgresJournal] = []
            for number: CommitVersion in 0..<40 {
                let journal = try await PostgresJournal(of: "store\(number)", in: database)
                if number > 0 { try await journal.append(entries(1...number), after: .start) }
                journals.append(journal)
            }
            try await journals[30].store(snapshot(20))
            try await journals[30].truncate(before: 21)
            await withTaskGroup(of: Void.self) { group in
                for (number, journal) in journals.enumerated() {
                    group.addTask {
                        let found = try? await journal.entries(from: 3, limit: 20)
                        let all = number < 3 ? [] : entries(3...CommitVersion(max(number, 3)))
                        #expect(found == (number == 30 ? nil : Array(all.prefix(20))))
                    }
                }
            }
            let error = await failure { _ = try await journals[30].entries(from: 3, limit: 20) }
            #expect(error?.code == .truncated)
            #expect(try await journals[30].entries(from: 21, limit: 5) == entries(21...25))
            await database.close()
        }
    }
}
#endif
