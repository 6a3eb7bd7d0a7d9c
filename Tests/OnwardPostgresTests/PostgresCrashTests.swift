// SPDX-License-Identifier: MIT
#if All

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardPostgres

/// Servers that die, and connections that are lost; each test has a server of its own.
@Suite(.serialized) struct PostgresCrashTests {
    /// Appends entry by entry, and calls `disturb` beside each append that it names.
    private func append(
        _ count: CommitVersion, to journal: PostgresJournal,
        disturb: (_ version: CommitVersion, _ append: @escaping @Sendable () async throws -> Void)
            async throws -> Void
    ) async throws {
        for version in 1...count {
            try await disturb(version) {
                try await journal.append(
                    entries(version...version), after: position(version - 1))
            }
        }
    }

    @Test
    func `a server that is killed between and during appends has all of them, once and in order`()
        async throws
    {
        let server = try PostgresServer()
        defer { server.stop() }
        let database = try await PostgresDatabase(server.address, options: testOptions())
        let journal = try await PostgresJournal(of: "orders", in: database)
        try await append(1_000, to: journal) { version, append in
            switch version {
            case 250, 500:
                server.kill()
                try server.start()
                try await append()
            case 600, 750, 900:
                let appending = Task { try await append() }
                server.kill()
                try server.start()
                try await appending.value
            default: try await append()
            }
        }
        #expect(try await journal.entries(from: 1, limit: .max) == entries(1...1_000))
        await database.close()
    }

    @Test(arguments: ["pg_terminate_backend", "pg_cancel_backend"])
    func `an append whose commit was interrupted counts once a standby has it, and is there once`(
        _ interruption: String
    ) async throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let database = try await PostgresDatabase(
            server.address, options: testOptions { $0.callLimit = .seconds(30) })
        let journal = try await PostgresJournal(of: "orders", in: database)
        try await journal.append(entries(1...1), after: .start)
        // Commits wait for a standby that isn't there, after they can be read.
        try server.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        try server.run("SELECT pg_reload_conf()")
        let answered = Guarded(false)
        let appending = Task {
            try await journal.append(entries(2...2), after: position(1))
            answered.withValue { $0 = true }
        }
        let interrupt =
            "SELECT pid FROM pg_stat_activity WHERE CASE WHEN wait_event = 'SyncRep' THEN \(interruption)(pid) END"
        var interrupted: [String] = []
        while interrupted.isEmpty { interrupted = try server.run(interrupt) }
        // Another try, which finds the entry, waits as well: what can be read may still be lost.
        let waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        var next = try server.run(waiting)
        while next.isEmpty { next = try server.run(waiting) }
        #expect(try await journal.lastVersion() == 2)
        #expect(!answered.withValue { $0 })
        try server.run("ALTER SYSTEM RESET synchronous_standby_names")
        try server.run("SELECT pg_reload_conf()")
        try await appending.value
        #expect(try await journal.entries(from: 1, limit: .max) == entries(1...2))
        await database.close()
    }

    @Test func `an append that isn't answered in time goes on, and is found once it is`()
        async throws
    {
        let server = try PostgresServer()
        defer { server.stop() }
        try await server.isReady()
        let database = try await PostgresDatabase(
            server.address, options: testOptions { $0.callLimit = .seconds(2) })
        let journal = try await PostgresJournal(of: "orders", in: database)
        try await journal.append(entries(1...1), after: .start)
        server.pause(true)
        let error = await failure { try await journal.append(entries(2...2), after: position(1)) }
        #expect(error?.code == .storage)
        #expect(error?.description.contains("It isn't known what") == true)
        let unsent = await failure { try await journal.append(entries(3...3), after: position(2)) }
        #expect(unsent?.description.contains("were not appended") == true)
        server.pause(false)
        while try await journal.lastVersion() < 2 {}
        try await journal.append(entries(3...3), after: position(2))
        #expect(try await journal.entries(from: 1, limit: .max) == entries(1...3))
        await database.close()
    }

    @Test func `a reader follows over the end of a server`() async throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let options = testOptions { $0.pollSpacing = .milliseconds(20) }
        let (here, there) = (
            try await PostgresDatabase(server.address, options: options),
            try await PostgresDatabase(server.address, options: options)
        )
        let journal = try await PostgresJournal(of: "orders", in: here)
        let reader = try await PostgresJournal(of: "orders", in: there)
        let reading = Task {
            var found: [JournalEntry] = []
            for try await entry in reader.follow() {
                found.append(entry)
                if found.count == 40 { break }
            }
            return found
        }
        try await append(40, to: journal) { version, append in
            if version == 20 {
                server.kill()
                try server.start()
            }
            try await append()
        }
        #expect(try await reading.value == entries(1...40))
        await here.close()
        await there.close()
    }

    @Test func `a database that stands still holds up its own stores only`() async throws {
        let (slow, other) = (try PostgresServer(), try PostgresServer())
        defer {
            slow.stop()
            other.stop()
        }
        let options = testOptions()
        let databases = try PostgresDatabases(
            [
                try await PostgresDatabase(slow.address, options: options),
                try await PostgresDatabase(other.address, options: options),
            ],
            rule: { store, databases in databases[store == "slow" ? 0 : 1] })
        let stuck = try await databases.journal(of: "slow")
        let journal = try await databases.journal(of: "other")
        slow.pause(true)
        let appending = Task { try await stuck.append(entries(1...1), after: .start) }
        for version: CommitVersion in 1...50 {
            try await journal.append(entries(version...version), after: position(version - 1))
        }
        #expect(try await journal.lastVersion() == 50)
        slow.pause(false)
        try await appending.value
        #expect(try await stuck.lastVersion() == 1)
        await databases.close()
    }

    @Test func `stores are placed by a hash of their names, and found there again`() async throws {
        let servers = [try PostgresServer(), try PostgresServer()]
        defer { for server in servers { server.stop() } }
        let options = testOptions()
        var opened: [PostgresDatabase] = []
        for server in servers {
            opened.append(try await PostgresDatabase(server.address, options: options))
        }
        let databases = try PostgresDatabases(opened)
        for number in 0..<20 {
            let journal = try await databases.journal(of: "room/\(number)")
            try await journal.append(entries(1...1), after: .start)
        }
        let counts = try servers.map {
            Int(try $0.run("SELECT count(*) FROM \(options.schema).entry").first ?? "") ?? 0
        }
        #expect(counts.reduce(0, +) == 20)
        #expect(counts.allSatisfy { $0 > 0 })
        let again = try await databases.journal(of: "room/7")
        #expect(try await again.lastVersion() == 1)
        await databases.close()
    }
}

/// A primary with a synchronous standby: takes patience.
struct PostgresFailoverTests {
    @Test func `the standby of a primary that was killed is promoted, and has every append once`()
        async throws
    {
        let primary = try PostgresServer()
        defer { primary.stop() }
        try await primary.isReady()
        let standby = try PostgresServer(standbyOf: primary)
        defer { standby.stop() }
        try primary.run("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
        try primary.run("SELECT pg_reload_conf()")
        let both = "host=\(primary.folder),\(standby.folder) user=postgres dbname=postgres"
        let options = testOptions()
        let database = try await PostgresDatabase(both, options: options)
        let journal = try await PostgresJournal(of: "orders", in: database)
        var errors = 0
        for version: CommitVersion in 1...1_000 {
            let appending = Task {
                try await journal.append(
                    entries(version...version), after: position(version - 1))
            }
            if version == 500 {
                primary.kill()
                try standby.promote()
            }
            do { try await appending.value } catch { errors += 1 }
        }
        #expect(errors == 0)
        #expect(try await journal.entries(from: 1, limit: .max) == entries(1...1_000))
        // The primary comes back, as if nothing had been: it would accept what is lost then.
        try primary.start()
        await (try PostgresDatabase(primary.address, options: options)).close()
        #expect(try await journal.lastVersion() == 1_000)
        standby.kill()
        guard
            case .failure(let refusal) = await database.servers.connect(until: .now + .seconds(10))
        else {
            Issue.record("a server on an older timeline was used")
            return
        }
        #expect(refusal.message.contains("older timeline"))
        await database.close()
    }
}
#endif
