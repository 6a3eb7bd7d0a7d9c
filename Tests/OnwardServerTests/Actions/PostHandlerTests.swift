// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal
import Testing

@testable import OnwardServer

@Suite struct `What an earlier run has answered` {
    /// A handler of posts whose journal says with `read` what it answered.
    private func handler(
        _ read: @escaping @Sendable () async throws(JournalError) -> [String]
    ) throws -> PostHandler<Table> {
        let keeping = HostedStore<Table>.Keeping(
            flush: { () async throws(JournalError) in }, requests: read)
        return try PostHandler(
            HostedStore(store: Table.store(), keeping: keeping) {}, page: Table.page(), memory: .own
        )
    }

    private func post(_ request: String) throws -> Post {
        try Post(
            .object([
                "type": .text("TableAction/play"), "card": .text("queen"),
                "request": .text(request),
            ]))
    }

    /// Time enough for all other tasks to get as far as they can.
    private static func letOthersRun() async { for _ in 0..<1_000 { await Task.yield() } }

    @Test func `is read once for all posts that come meanwhile`() async throws {
        let readings = Guarded(0)
        let handler = try handler { () async throws(JournalError) in
            readings.withValue { $0 += 1 }
            await Self.letOthersRun()
            return ["request-0"]
        }
        let posts = try (0..<20).map { try post("request-\($0)") }
        let new = try await withThrowingTaskGroup { group in
            for post in posts {
                group.addTask { try await handler.handle(post).isNew ? post.request : nil }
            }
            return try await group.reduce(into: Set<String>()) { new, request in
                if let request { new.insert(request) }
            }
        }
        #expect(readings.withValue { $0 } == 1)
        #expect(new == Set(posts.dropFirst().map(\.request)))
    }

    @Test func `is read anew for the next post where it couldn't be read`() async throws {
        let readings = Guarded(0)
        let handler = try handler { () async throws(JournalError) in
            let number = readings.withValue { number in
                number += 1
                return number
            }
            if number == 1 { throw JournalError(.damaged, "A page of it is gone.") }
            return ["request-0"]
        }
        let again = try post("request-0")
        await #expect(throws: Rejection.notNow) { try await handler.handle(again) }
        #expect(try await !handler.handle(again).isNew)
        #expect(try await handler.handle(post("request-1")).isNew)
        #expect(readings.withValue { $0 } == 2)
    }
}
#endif
