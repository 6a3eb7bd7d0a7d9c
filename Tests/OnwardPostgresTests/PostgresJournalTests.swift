// SPDX-License-Identifier: MIT
#if All

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardPostgres

extension PostgresTests {
    struct PostgresJournalContractTests {
        private let stores = Guarded(0)

        private func journal(in database: PostgresDatabase) async throws -> PostgresJournal {
            let number = stores.withValue { stores in
                stores += 1
                return stores
            }
            return try await PostgresJournal(of: "store \(number)", in: database)
        }

        @Test func `keeps the contract of journals`() async throws {
            let database = try await sharedDatabase()
            try await JournalContract.check { try await journal(in: database) }
            await database.close()
        }

        @Test func `loses, doubles and tears nothing while calls fail and another writer appends`()
            async throws
        {
            let database = try await sharedDatabase()
            try await JournalContract.checkDisturbed(seeds: 0..<5) {
                try await journal(in: database)
            }
            await database.close()
        }
    }

    struct PostgresJournalTests {
        @Test func `is there again when it is opened again`() async throws {
            let options = testOptions()
            let database = try await sharedDatabase(options)
            let journal = try await PostgresJournal(of: "orders", in: database)
            try await journal.append(entries(1...100), after: .start)
            try await journal.store(snapshot(50))
            await database.close()

            let again = try await sharedDatabase(options)
            let next = try await PostgresJournal(of: "orders", in: again)
            #expect(try await next.lastPosition() == position(100))
            #expect(try await next.entries(from: 1, limit: .max) == entries(1...100))
            #expect(try await next.snapshot(at: 100) == snapshot(50))
            await again.close()
        }

        @Test func `knows its end when all entries are truncated`() async throws {
            let database = try await sharedDatabase()
            let journal = try await PostgresJournal(of: "orders", in: database)
            try await journal.append(entries(1...10), after: .start)
            try await journal.store(snapshot(10))
            try await journal.truncate(before: 11)
            let next = try await PostgresJournal(of: "orders", in: database)
            #expect(try await next.lastPosition() == position(10))
            try await next.append(entries(11...11), after: position(10))
            #expect(try await next.entries(from: 11, limit: 9) == entries(11...11))
            await database.close()
        }

        @Test func `stores of one database know nothing of each other`() async throws {
            let database = try await sharedDatabase()
            let one = try await PostgresJournal(of: "one", in: database)
            let other = try await PostgresJournal(of: "other", in: database)
            try await one.append(entries(1...3), after: .start)
            try await one.store(snapshot(2))
            #expect(try await other.lastPosition() == .start)
            #expect(try await other.snapshot(at: 9) == nil)
            try await other.append(entries(1...1, payload: [9]), after: .start)
            #expect(try await one.entries(from: 1, limit: 9) == entries(1...3))
            await database.close()
        }

        @Test func `what follows a refused entry never lands, though its number would fit`()
            async throws
        {
            let database = try await sharedDatabase()
            let journal = try await PostgresJournal(of: "orders", in: database)
            let other = try await PostgresJournal(of: "orders", in: database)
            try await other.append(
                [JournalEntry(version: 1, name: "SomebodyElse")], after: .start)
            #expect(
                await failure { try await journal.append(entries(1...1), after: .start) }?.code
                    == .conflict)
            #expect(
                await failure { try await journal.append(entries(2...2), after: position(1)) }?.code
                    == .conflict)
            #expect(try await journal.lastVersion() == 1)
            await database.close()
        }

        @Test func `appends that are called in order, without waiting, land in order`() async throws
        {
            let database = try await sharedDatabase()
            let journal = try await PostgresJournal(of: "orders", in: database)
            try await appendAll(1...500, to: journal)
            #expect(try await journal.entries(from: 1, limit: .max) == entries(1...500))
            await database.close()
        }

        @MainActor
        private func appendAll(_ versions: ClosedRange<CommitVersion>, to journal: PostgresJournal)
            async throws
        {
            let appends = versions.map { version in
                Task { @MainActor in
                    try await journal.append(
                        entries(version...version), after: position(version - 1))
                }
            }
            for append in appends { try await append.value }
        }

        @Test func `a snapshot of what was never accepted is refused, and so is truncating by it`()
            async throws
        {
            let database = try await sharedDatabase()
            let journal = try await PostgresJournal(of: "orders", in: database)
            try await journal.append(entries(1...10), after: .start)
            let lost = JournalPosition(version: 6, id: EntryID(high: 9, low: 9))
            let error = await failure { try await journal.store(snapshot(6), at: lost) }
            #expect(error?.code == .conflict)
            #expect(error?.version == 6)
            #expect(try await journal.snapshot(at: 10) == nil)
            try await journal.store(snapshot(6), at: position(6))
            #expect(
                await failure { try await journal.truncate(before: 5, at: lost) }?.code == .conflict
            )
            #expect(try await journal.entries(from: 1, limit: 1) == entries(1...1))
            try await journal.truncate(before: 5, at: position(6))
            #expect(
                await failure { _ = try await journal.entries(from: 4, limit: 1) }?.code
                    == .truncated)
            await database.close()
        }

        @Test func `a row that was changed is found by its checksum, a missing one by its number`()
            async throws
        {
            let options = testOptions()
            let database = try await sharedDatabase(options)
            let server = try #require(PostgresServer.shared)
            let journal = try await PostgresJournal(of: "orders", in: database)
            try await journal.append(entries(1...10), after: .start)
            try server.run("UPDATE \(options.schema).entry SET name = 'other' WHERE version = 4")
            let changed = await failure { _ = try await journal.entries(from: 1, limit: 9) }
            #expect(changed?.code == .damaged)
            #expect(changed?.version == 4)
            try server.run("DELETE FROM \(options.schema).entry WHERE version = 8")
            let missing = await failure { _ = try await journal.entries(from: 5, limit: 9) }
            #expect(missing?.code == .damaged)
            #expect(missing?.version == 8)
            await database.close()
        }

        @Test func `a text that PostgreSQL can't store is refused, and nothing with it`()
            async throws
        {
            let database = try await sharedDatabase()
            let journal = try await PostgresJournal(of: "orders", in: database)
            let bad = JournalEntry(version: 2, name: "a\0b")
            #expect(
                await failure { try await journal.append(entries(1...1) + [bad], after: .start) }?
                    .code
                    == .invalid)
            #expect(try await journal.lastVersion() == 0)
            await database.close()
        }

        @Test func `a reader elsewhere is notified, without a poll`() async throws {
            let clock = ManualClock()
            let writing = testOptions()
            var reading = writing
            reading.clock = clock
            let (here, there) = (
                try await sharedDatabase(writing), try await sharedDatabase(reading)
            )
            let journal = try await PostgresJournal(of: "orders", in: here)
            let reader = try await PostgresJournal(of: "orders", in: there)
            let wait = Task { try await reader.wait(after: 0) }
            // The reader listens, and sleeps until the next poll, which never comes.
            await clock.sleepers(1)
            try await journal.append(entries(1...1), after: .start)
            try await wait.value
            #expect(clock.now.elapsed == .zero)
            await here.close()
            await there.close()
        }

        @Test func `where notifications are lost, a poll finds what others append`() async throws {
            let clock = ManualClock()
            let writing = testOptions { $0.notifies = false }
            var reading = writing
            reading.clock = clock
            let (here, there) = (
                try await sharedDatabase(writing), try await sharedDatabase(reading)
            )
            let journal = try await PostgresJournal(of: "orders", in: here)
            let reader = try await PostgresJournal(of: "orders", in: there)
            let wait = Task { try await reader.wait(after: 0) }
            await clock.sleepers(1)
            try await journal.append(entries(1...1), after: .start)
            clock.advance(by: reading.pollSpacing)
            try await wait.value
            await here.close()
            await there.close()
        }
    }
}
#endif
