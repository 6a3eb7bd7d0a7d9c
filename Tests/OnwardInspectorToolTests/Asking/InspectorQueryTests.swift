// SPDX-License-Identifier: MIT
#if All

import Onward
import OnwardInspection
import OnwardInspector
import OnwardJournal
import OnwardNavigation
import Testing

@testable import OnwardInspectorTool

struct InspectorQueryTests {
    private func ask(_ name: String, _ arguments: DataValue = [:]) async throws -> DataValue {
        let shop = await InspectedShop()
        defer { withExtendedLifetime(shop) {} }  // an inspector doesn't keep a store alive
        return try await shop.source.ask(query(name), arguments)
    }

    private func query(_ name: String) throws -> InspectorQuery {
        try #require(InspectorQuery.all.first { $0.name == name })
    }

    @Test func `each query of an inspector has an answer`() async throws {
        #expect(try await ask("stores")["stores"]?.list?.first?["name"] == "shop")
        let found = try await ask("entries", ["text": "PEAR"])["entries"]?.list
        #expect(found?.map { $0["id"] } == [1])
        #expect(try await ask("entry", ["id": 2])["line"]?["name"] == "CartAction/add")
        #expect(try await ask("state", ["entry": 2, "path": "total"])["text"] == "7")
        let fig = try await ask("find_in_state", ["text": "fig", "entry": 2])["found"]?.list
        #expect(fig?.map { $0["path"] } == ["items.1"])
        #expect(
            try await ask("diff", ["to": 3, "path": "total"])["changes"]?.list?.first?["old"] == "7"
        )
        let who = try await ask("who_changed", ["path": "total", "limit": 1])["entries"]?.list
        #expect(who?.map { $0["id"] } == [3])
        #expect(try await ask("test_source", ["from": 0])["source"]?.text?.contains("pear") == true)
        #expect(try await ask("actions")["actions"]?.list?.first?["name"] == "CartAction/add")
        #expect(try await ask("activity")["costs"]?.list?.count == 1)
    }

    @Test func `commands change the store`() async throws {
        let shop = await InspectedShop()
        let action: DataValue = ["type": "CartAction/add", "name": "plum", "price": 2]
        _ = try await shop.source.ask(.dispatch, ["action": action])
        #expect(shop.store.state.items == ["plum"])
        _ = try await shop.source.ask(.jump, ["entry": 1])
        #expect(shop.store.state.items == ["pear"])
        _ = try await shop.source.ask(.jump, ["live": true])
        #expect(shop.store.state.items == ["plum"])
    }

    @Test func `every field of a query is taken, and reaches the question`() throws {
        for query in InspectorQuery.all where !query.isOfPackage {
            var arguments: DataValue = [:]
            for field in query.fields {
                arguments[field.name] =
                    switch field.kind {
                    case .text, .texts: "text"
                    case .integer, .entry: 7
                    case .truth: true
                    case .object: ["type": "A"]
                    }
            }
            let all = try query.request(arguments, of: "shop")
            for field in query.fields
            where !["store", "entry"].contains(field.name) || query != .jump {
                var rest = arguments
                rest[field.name] = nil
                guard field.name != "store", let less = try? query.request(rest, of: "shop") else {
                    continue
                }
                #expect(less != all, "\(field.name) of \(query.name) counts for nothing")
            }
        }
    }

    @Test func `what doesn't fit is refused by its name`() throws {
        let misfits: [(String, DataValue, String)] = [
            ("entry", [:], "\"id\" is missing."),
            ("entry", ["id": "x"], "\"id\" is no integer that fits."),
            ("entries", ["limit": [1]], "\"limit\" is no integer that fits."),
            ("activity", ["sort": 1], "There is no field \"sort\". There are: store."),
            ("state", [1], "The arguments are no object."),
            ("jump", [:], "\"entry\" is missing; or give \"live\": true."),
            (
                "state", ["path": .text(String(repeating: "x", count: 2_000))],
                "\"path\" is no string that fits."
            ),
        ]
        for (name, arguments, sentence) in misfits {
            let query = try query(name)
            let error = #expect(throws: InspectorQuery.Misfit.self) {
                try query.request(arguments, of: "shop")
            }
            #expect(error?.description == sentence)
        }
    }

    @Test func `a limit stays in its bounds`() throws {
        for (limit, text) in [(DataValue.integer(9_999), "200"), (.integer(-5), "1")] {
            let request = try query("entries").request(["limit": limit], of: "shop")
            #expect(request.path == "stores/shop/entries?limit=\(text)")
        }
    }
}
#endif
