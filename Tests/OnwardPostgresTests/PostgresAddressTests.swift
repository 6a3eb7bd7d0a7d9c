// SPDX-License-Identifier: MIT
#if All

import Testing

@testable import OnwardPostgres

struct PostgresAddressTests {
    @Test func `each server gets its own settings, and messages no password`() throws {
        let address = try PostgresAddress(
            "host=a,b port=1,2 dbname=shop user=shop password=hidden connect_timeout=3")
        #expect(address.servers.count == 2)
        let second = Dictionary(
            uniqueKeysWithValues: address.servers[1].map { ($0.keyword, $0.value) })
        #expect(second["host"] == "b")
        #expect(second["port"] == "2")
        #expect(second["password"] == "hidden")
        #expect(second["target_session_attrs"] == "read-write")
        #expect(address.name == "\"shop\" on a, b")
        let chosen = try PostgresAddress("postgresql://shop@a,b/shop?target_session_attrs=any")
        #expect(
            chosen.servers.map { $0.filter { $0.keyword == "target_session_attrs" }.map(\.value) }
                == [["any"], ["any"]])
    }
}
#endif
