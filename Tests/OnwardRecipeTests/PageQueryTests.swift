// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Mustache
import NIOCore
import Onward
import OnwardQueries
import OnwardServer
import Synchronization
import Testing

/// A cache in a page is as widely shared as the store that it is in.
@Suite struct PageQueryTests {
    private struct Weather: Query {
        static let name = "weather"
        typealias Answer = Int
        typealias Failure = Offline
        let city: String
    }
    private struct Offline: Error, Codable, Equatable {}
    private struct App: Sendable {
        var weather = QueryCache<Weather>()
        var degrees: Int? { weather.value(of: Weather(city: "Oslo")) }
    }

    /// The weather service, which counts its visits and answers with their number.
    private final class Service: Sendable {
        private let asked = Mutex(0)
        var count: Int { asked.withLock { $0 } }
        func degrees() -> Int {
            asked.withLock {
                $0 += 1
                return $0
            }
        }
    }

    private static func store(_ service: Service) -> Store<App> {
        Store(App()) {
            Fetch(\.weather, while: { _ in [Weather(city: "Oslo")] }) {
                _, _ async throws(Offline) in service.degrees()
            }
        }
    }

    /// What each of three visitors is shown, who come one after another.
    ///
    /// With stores of their own, the first page of a visitor shows a preview, which all see: what counts is what comes
    /// once the visitor has a cookie.
    private func shown(_ hosting: Hosting<App>, own hasOwn: Bool) async throws -> [String] {
        var templates = MustacheLibrary()
        try templates.register("<p>Oslo: {{degrees}}</p>", named: "weather")
        let page = try Page<App>(title: "Weather", templates: templates, accepts: []) {
            [Fragment("weather", model: ["degrees": $0.degrees.map { "\($0)." } ?? "?"])]
        }
        let server = PageServer(page, hosting: hosting)
        return try await server.application().test(.router) { client in
            var shown: [String] = []
            for _ in 0..<3 {
                var cookie = ""
                while true {
                    let counts = !hasOwn || !cookie.isEmpty
                    let response = try await client.executeRequest(
                        uri: "/", method: .get,
                        headers: cookie.isEmpty ? [:] : [.cookie: cookie], body: nil)
                    let new = response.headers[.setCookie]?.split(separator: ";").first
                    cookie = new.map(String.init) ?? cookie
                    let text = String(buffer: response.body)
                    if counts, let place = text.firstRange(of: "Oslo: "),
                        !text.contains("Oslo: ?")
                    {
                        shown.append(String(text[place.upperBound...].prefix { $0 != "<" }))
                        break
                    }
                    await Task.yield()
                }
            }
            return shown
        }
    }

    @Test func `a cache in the store that visitors share is asked for once for all`() async throws {
        let service = Service()
        let store = Self.store(service)
        #expect(try await shown(.shared(store), own: false) == ["1.", "1.", "1."])
        #expect(service.count == 1)
        await store.shutdown()
    }

    @Test func `a cache in the store of each visitor is asked for by each`() async throws {
        let service = Service()
        let hosting = Hosting.perVisitor(limit: 10, idle: .seconds(60)) { Self.store(service) }
        let shown = try await shown(hosting, own: true)
        // The preview may have asked, too.
        #expect(Set(shown).count == 3 && service.count >= 3, "\(shown), \(service.count)")
    }
}
#endif
