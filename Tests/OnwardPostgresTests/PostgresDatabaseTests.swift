// SPDX-License-Identifier: MIT
#if All

import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardPostgres

extension PostgresTests {
    struct PostgresDatabaseTests {
        @Test func `programs that open a new database at the same time all find its tables`()
            async throws
        {
            let options = testOptions()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        let database = try await sharedDatabase(options)
                        _ = try await PostgresJournal(of: "orders", in: database)
                        await database.close()
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test func `tables of a newer version are refused, and left as they are`() async throws {
            let options = testOptions()
            let database = try await sharedDatabase(options)
            await database.close()
            let server = try #require(PostgresServer.shared)
            for column in ["tables", "entries"] {
                try server.run("UPDATE \(options.schema).format SET \(column) = \(column) + 90")
                #expect(await failure { _ = try await sharedDatabase(options) }?.code == .newer)
                try server.run("UPDATE \(options.schema).format SET \(column) = \(column) - 90")
            }
            await (try sharedDatabase(options)).close()
        }

        @Test func `tables of somebody else are refused, and left as they are`() async throws {
            let options = testOptions()
            let server = try #require(PostgresServer.shared)
            try server.run(
                "CREATE SCHEMA \(options.schema); CREATE TABLE \(options.schema).entry (word text)")
            #expect(await failure { _ = try await sharedDatabase(options) }?.code == .foreign)
            #expect(
                try server.run(
                    "SELECT count(*) FROM pg_tables WHERE schemaname = '\(options.schema)'")
                    == ["1"])
        }

        @Test func `a wrong password is an error that says so, without the password`() async throws
        {
            let server = try #require(PostgresServer.shared)
            try server.run("CREATE ROLE keeper LOGIN PASSWORD 'right-one-42'")
            let address = "host=\(server.folder) user=keeper dbname=postgres password=wrong-one-77"
            let error = await failure {
                _ = try await PostgresDatabase(address, options: testOptions())
            }
            #expect(error?.code == .unwritable)
            #expect(error?.description.contains("keeper") == true)
            #expect(error?.description.contains("wrong-one") == false)
        }

        @Test(arguments: [
            "host=a password=my secret words", "postgresql://shop:secret@[host/x",
            "host=a passwort=secret", "secret",
        ])
        func `a connection string that can't be read is not repeated`(_ text: String) async throws {
            let error = await failure { _ = try await PostgresDatabase(text) }
            #expect(error?.code == .invalid)
            #expect(error?.description.contains("sec") == false)
        }

        @Test func `a database that isn't there, and a server that isn't, are told apart`()
            async throws
        {
            let server = try #require(PostgresServer.shared)
            let none = "host=\(server.folder) user=postgres dbname=none"
            #expect(
                await failure { _ = try await PostgresDatabase(none, options: testOptions()) }?.code
                    == .unwritable)
            let away = "host=\(server.folder)/nowhere user=postgres"
            let limited = testOptions { $0.callLimit = .milliseconds(50) }
            let error = await failure { _ = try await PostgresDatabase(away, options: limited) }
            #expect(error?.code == .storage)
            #expect(error?.description.contains("can't be reached") == true)
        }

        @Test func `a role that may only read is not let write`() async throws {
            let server = try #require(PostgresServer.shared)
            try server.run("CREATE ROLE looker LOGIN")
            let address = "host=\(server.folder) user=looker dbname=postgres"
            #expect(
                await failure { _ = try await PostgresDatabase(address, options: testOptions()) }?
                    .code
                    == .unwritable)
        }

        @Test func `a closed database takes nothing`() async throws {
            let database = try await sharedDatabase()
            let journal = try await PostgresJournal(of: "orders", in: database)
            await database.close()
            #expect(await failure { _ = try await journal.lastPosition() }?.code == .closed)
            #expect(
                await failure { try await journal.append(entries(1...1), after: .start) }?.code
                    == .closed)
        }

        @Test func `more callers than connections are all served`() async throws {
            let database = try await sharedDatabase(testOptions { $0.connections = 2 })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let journal = try await PostgresJournal(of: "\(number)", in: database)
                        try await journal.append(entries(1...1), after: .start)
                    }
                }
                try await group.waitForAll()
            }
            await database.close()
        }
    }
}
#endif
