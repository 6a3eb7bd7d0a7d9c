// SPDX-License-Identifier: MIT
#if All

import OnwardCluster
import OnwardJournal
import Testing

@testable import OnwardPostgres

extension PostgresTests {
    struct PostgresNodeTableTests {
        @Test func `each node reads what all have said last`() async throws {
            let database = try await sharedDatabase()
            let table = PostgresNodeTable(in: database)
            let other = PostgresNodeTable(in: database)
            func announcement(_ name: String, _ beat: UInt64) -> NodeAnnouncement {
                NodeAnnouncement(
                    node: NodeID(name), beat: beat,
                    features: [FeatureFingerprint(rawValue: .max)], isLeaving: beat == 3)
            }
            _ = try await table.announce(announcement("a", 1))
            _ = try await other.announce(announcement("b", 1))
            _ = try await table.announce(announcement("a", .max))
            let all = try await other.announce(announcement("b", 3))
            #expect(Set(all) == [announcement("a", .max), announcement("b", 3)])
            await database.close()
        }

        @Test func `a node that was silent for a day is forgotten`() async throws {
            let options = testOptions()
            let database = try await sharedDatabase(options)
            let table = PostgresNodeTable(in: database)
            let (a, b) = (
                NodeAnnouncement(node: NodeID("a"), beat: 1, features: []),
                NodeAnnouncement(node: NodeID("b"), beat: 1, features: [])
            )
            _ = try await table.announce(a)
            try #require(PostgresServer.shared).run(
                "UPDATE \(options.schema).node SET seen = seen - interval '25 hours'")
            #expect(try await table.announce(b) == [b])
            await database.close()
        }
    }
}
#endif
