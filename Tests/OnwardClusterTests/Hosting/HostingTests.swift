// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import HummingbirdTesting
import Onward
import OnwardCluster
import OnwardServer
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct `Pages of a cluster` {
    private let cluster = HostedCluster()

    @Test
    func `a post at one node is seen in the page of another, which goes on when the first ends`()
        async throws
    {
        let (a, b) = (cluster.start("a"), cluster.start("b"))
        try await HostedCluster.serve(.cluster(b.ledger)) { atB in
            let port = try #require(atB.port)
            let before = try #require(try await atB.page().pageID)
            let id = try await HostedCluster.serve(.cluster(a.ledger)) { atA in
                // The same state has the same name everywhere, so a reader may come from anywhere.
                #expect(try await atA.page().pageID == before)
                let answer = try await atA.add("pear", request: "request-1")
                #expect(answer.status == .ok && answer.text == #"{"result":"dispatched"}"#)
                let page = try await atA.page()
                #expect(page.text.contains("<li>pear</li>"))
                let id = try #require(page.pageID)
                try await EventReader.with(port: port, since: before) { reader in
                    let event = try await reader.event()
                    #expect(event == [id, #"{"html":"<ol><li>pear</li></ol>","key":"lines"}"#])
                }
                return id
            }
            await a.kill()
            try await EventReader.with(port: port, since: id) { reader in
                let answer = try await atB.add("apple", request: "request-2")
                #expect(answer.status == .ok, "\(answer.text)")
                let event = try await reader.event()
                let html = #"{"html":"<ol><li>pear</li><li>apple</li></ol>","key":"lines"}"#
                #expect(event.dropFirst() == [html])
                #expect(event.first?.split(separator: "-").first == id.split(separator: "-").first)
            }
        }
        await b.kill()
    }

    @Test func `a post that comes to two nodes is done once, also where its token holds no longer`()
        async throws
    {
        let (a, b) = (cluster.start("a"), cluster.start("b"))
        try await HostedCluster.serve(.cluster(a.ledger)) { atA in
            try await HostedCluster.serve(.cluster(b.ledger)) { atB in
                for client in [atA, atB, atA, atB] {
                    let answer = try await client.add(
                        "pear", request: "request-1-v0", expects: "0 lines")
                    #expect(answer.status == .ok, "\(answer.text)")
                }
                let stale = try await atB.add("plum", request: "request-2", expects: "0 lines")
                #expect(stale.status == .conflict && stale.text.contains("The page has moved on"))
                #expect(b.ledger.store.state.lines == ["pear"])
            }
        }
        await a.kill()
        await b.kill()
    }

    @Test func `of posts that demand the same at two nodes at once one is done`() async throws {
        let (a, b) = (cluster.start("a"), cluster.start("b"))
        try await HostedCluster.serve(.cluster(a.ledger)) { atA in
            try await HostedCluster.serve(.cluster(b.ledger)) { atB in
                for round in 0..<10 {
                    let answers = try await withThrowingTaskGroup { group in
                        for (name, client) in [("a", atA), ("b", atB)] {
                            group.addTask {
                                try await client.add(
                                    name, request: "request-\(name)-\(round)",
                                    expects: "\(round) lines"
                                ).status
                            }
                        }
                        return try await group.reduce(into: []) { $0.append($1) }
                    }
                    #expect(Set(answers) == [.ok, .conflict])
                }
                #expect(a.ledger.store.state.lines.count == 10)
            }
        }
        await a.kill()
        await b.kill()
    }

    @Test func `while the database is away pages say so, and posts are refused and done later`()
        async throws
    {
        let a = cluster.start("a")
        let journals = cluster.journals
        try await HostedCluster.serve(.cluster(a.ledger)) { client in
            #expect(try await client.add("pear", request: "request-1").status == .ok)
            let id = try #require(try await client.page().pageID)
            try await EventReader.with(port: #require(client.port), since: id) { reader in
                journals.areAway.withValue { $0 = true }
                _ = try await reader.read(
                    until: "event: notice\ndata:The database can't be reached")
                let page = try await client.page().text
                #expect(page.contains("<li>pear</li>") && page.contains("The database can"))
                let refused = try await client.add("plum", request: "request-2", tries: 1)
                #expect(refused.status == .serviceUnavailable)
                #expect(refused.text.contains("This couldn't be stored in time"))
                #expect(refused.headers[.retryAfter] != nil)
                journals.areAway.withValue { $0 = false }
                _ = try await reader.read(until: "event: notice\ndata:\n\n")
            }
            let done = try await client.add("plum", request: "request-2")
            #expect(done.status == .ok, "\(done.text)")
            #expect(a.ledger.store.state.lines == ["pear", "plum"])
        }
        await a.kill()
    }

    @Test func `a store whose log can't be read yet isn't shown`() async throws {
        cluster.journals.areAway.withValue { $0 = true }
        let a = cluster.start("a")
        try await HostedCluster.serve(.cluster(a.ledger)) { client in
            let early = try await client.page()
            #expect(early.status == .serviceUnavailable)
            cluster.journals.areAway.withValue { $0 = false }
            let late = try await client.page()
            #expect(late.status == .ok)
        }
        await a.kill()
    }

    @Test func `a visitor comes to any node, and finds what it did when one ends`() async throws {
        let (a, b) = (cluster.start("a"), cluster.start("b"))
        @Sendable func hosting(_ place: HostedCluster.Place) -> Hosting<Ledger> {
            .cluster(
                place.ledgers, limit: 10, idle: .seconds(600), lifetime: .seconds(86_400))
        }
        try await HostedCluster.serve(hosting(b)) { atB in
            let cookie = try await HostedCluster.serve(hosting(a)) { atA in
                let given = try #require(try await atA.page().headers[.setCookie])
                let cookie: HTTPFields = [
                    .cookie: String(try #require(given.split(separator: ";").first))
                ]
                // The one that hasn't given it out comes first.
                #expect(try await atB.add("pear", request: "request-1", cookie).status == .ok)
                #expect(try await atA.add("plum", request: "request-2", cookie).status == .ok)
                let page = try await atA.page(cookie)
                #expect(page.text.contains("<li>pear</li><li>plum</li>"))
                #expect(page.headers[.setCookie] == nil)
                // Another visitor has another store.
                let other = try await atA.page()
                #expect(!other.text.contains("pear"))
                return cookie
            }
            await a.kill()
            let answer = try await atB.add("apple", request: "request-3", cookie)
            #expect(answer.status == .ok, "\(answer.text)")
            let page = try await atB.page(cookie)
            #expect(page.text.contains("<li>pear</li><li>plum</li><li>apple</li>"))
        }
        await b.kill()
    }
}
#endif
