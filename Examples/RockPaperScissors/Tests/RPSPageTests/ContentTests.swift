// SPDX-License-Identifier: MIT

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite struct ContentTests {
    @Test func `everything the page and its style sheet point to is there`() async throws {
        try await PageClient.play { game in
            let page = try await game.page()
            let style = String(buffer: try await game.get("/page.css").body)
            let linked =
                page.matches(of: /(?:src|href)="([^"]+)"/).map { String($0.1) }
                + style.matches(of: /url\("([^"]+)"\)/).map { String($0.1) }
            #expect(linked.count >= 7)
            for path in Set(linked) {
                #expect(try await game.get(path).status == .ok, "\(path)")
            }
        }
    }

    @Test func `drawings and styles have their types`() async throws {
        try await PageClient.play { game in
            for name in ["rock", "paper", "scissors", "chosen", "confetti"] {
                let drawing = try await game.get("/\(name).svg")
                #expect(drawing.headers[.contentType] == "image/svg+xml")
                #expect(String(buffer: drawing.body).hasPrefix("<svg"))
            }
            let style = try await game.get("/page.css")
            #expect(style.headers[.contentType] == "text/css; charset=utf-8")
        }
    }

    @Test func `the page has no script and no style inside, and its policy allows none`()
        async throws
    {
        try await PageClient.play { game in
            let response = try await game.get("/")
            let policy = try #require(response.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src"))
            #expect(!policy.contains("unsafe"))
            let page = String(buffer: response.body)
            #expect(!page.contains("style="))
            #expect(!page.contains("<style"))
            #expect(page.matches(of: /<script/).count == 1)
            #expect(page.contains(/<script src="[^"]+"[^>]*><\/script>/))
            #expect(!page.contains(/\son[a-z]+=/))
        }
    }
}
