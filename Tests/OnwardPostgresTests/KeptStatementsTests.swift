// SPDX-License-Identifier: MIT
#if All

import OnwardJournal
import Testing

@testable import OnwardPostgres

extension PostgresTests {
    /// Statements that a session keeps, and one that has lost them, as behind a pooler.
    struct KeptStatementsTests {
        private let answer = Statement("SELECT $1::bigint + 1", [.number(41)])

        @Test func `a session that doesn't know a statement any more gets it again`()
            async throws
        {
            let database = try await sharedDatabase(testOptions { $0.connections = 1 })
            let found = try await database.perform("test") {
                [answer] db throws(PostgresFailure) in
                let before = try db.run(answer).number(0, 0)
                try db.run(Statement("DEALLOCATE ALL"))
                return [before, try db.run(answer).number(0, 0), try db.run(answer).number(0, 0)]
            }
            #expect(found == [42, 42, 42])
            await database.close()
        }

        @Test func `a transaction that meets one begins anew`() async throws {
            let database = try await sharedDatabase(testOptions { $0.connections = 1 })
            try await database.perform("test") { [answer] db throws(PostgresFailure) in
                try db.run(answer)
                try db.run(Statement("DEALLOCATE ALL"))
            }
            let found = try await database.perform("test") {
                [answer] db throws(PostgresFailure) in
                try db.transaction { db throws(PostgresFailure) in
                    try db.run(answer).number(0, 0)
                }
            }
            #expect(found == 42)
            await database.close()
        }
    }
}
#endif
