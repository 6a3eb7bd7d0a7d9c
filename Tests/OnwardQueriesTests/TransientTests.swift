// SPDX-License-Identifier: MIT
#if Testing

import Foundation
import Onward
import OnwardJournal
import OnwardTesting
import Testing

@testable import OnwardQueries

/// Answers that are kept in memory only.
@Suite struct TransientTests {
    struct Secret: Query {
        static let name = "secret"
        static let isTransient = true
        typealias Answer = String
        typealias Failure = APIError
        var number = 1
    }
    struct App: Codable, Equatable, Sendable {
        var wanted = [Secret()]
        var secrets = QueryCache<Secret>()
    }

    private typealias Server = ManualAnswers<Secret, String, APIError>

    private let server = Server(cancelled: .cancelled)
    private let word = "swordfish"

    private var feature: Feature<App> {
        Feature { [server] in
            Fetch(\.secrets, while: \.wanted) { secret, _ async throws(APIError) in
                try await server.answer(to: secret)
            }
            .tags { _, word in [QueryTag("word", word)] }
        }
    }

    /// A store that shows the answer.
    private func answered(_ store: Store<App>) async {
        #expect(await server.isAsked(Secret()))
        server.give(.success(word), to: Secret())
        _ = try? await store.wait { $0.secrets.value(of: Secret()) == word }
    }

    @Test func `an answer is shown, and the saved state doesn't have it`() async throws {
        let store = Store(App()) { feature }
        await answered(store)
        #expect(store.state.secrets.status(of: Secret()) == .fresh)
        let saved = try JSONEncoder().encode(store.state)
        #expect(!String(decoding: saved, as: UTF8.self).contains(word))
        await store.shutdown()

        let restored = Store(try JSONDecoder().decode(App.self, from: saved)) { feature }
        #expect(restored.state.secrets.value(of: Secret()) == nil)
        await answered(restored)
        #expect(server.asked.count == 2)
        await restored.shutdown()
    }

    @Test func `a journal says that there was an answer, and it is asked for again`() async throws {
        let journal = MemoryJournal()
        let kept = try await Persistence(of: App(), in: journal) { feature }
        await answered(kept.store)
        try await kept.flush()
        let entries = try journal.entries(from: 1, limit: 100)
        let texts = entries.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(entries.contains { $0.name == "secret/received" })
        #expect(!texts.contains { $0.contains(word) })
        try await kept.shutdown()

        let copy = MemoryJournal()
        try copy.append(entries, after: copy.lastPosition())
        let again = try await Persistence(of: App(), in: copy) { feature }
        await answered(again.store)
        #expect(server.asked.count == 2)
        try await again.shutdown()
    }

    @Test func `what is replayed is what is saved, apart from the tags of an invalidation`()
        throws
    {
        let (now, rules) = (Timestamp.seconds(0), QueryRules<Secret>())
        var cache = QueryCache<Secret>()
        _ = cache.reduce(.wanted([Secret()], at: now), rules)
        _ = cache.reduce(.asked(Secret(), request: 1, at: now), rules)
        var replayed = cache
        let action = QueryAction<Secret>.received(
            Secret(), request: 1, TransientAnswer(word), at: now)
        _ = cache.reduce(action, rules)
        let bytes = try JSONEncoder().encode(action)
        #expect(!String(decoding: bytes, as: UTF8.self).contains(word))
        _ = replayed.reduce(
            try JSONDecoder().decode(QueryAction<Secret>.self, from: bytes), rules)
        let saved = try JSONDecoder().decode(
            QueryCache<Secret>.self, from: JSONEncoder().encode(cache))
        #expect(replayed == saved && cache != saved)
        for key in [Secret(number: 2), Secret()] {
            _ = cache.reduce(.prefetch(key), rules)
            _ = replayed.reduce(.prefetch(key), rules)
        }
        #expect(replayed.requests == cache.requests && cache.requests.count == 1)
    }

    @Test func `an answer that an app sets isn't taken, since it is in the log`() {
        var cache = QueryCache<Secret>()
        let step = cache.reduce(.set(Secret(), word, at: .seconds(0)), QueryRules<Secret>())
        #expect(step == .none && cache.entries.isEmpty)
    }

    @Test func `to write transient answers elsewhere is an error that says what to do`() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            struct Target: Sendable {
                var secrets = QueryCache<Secret>()
                var words: [String] = []
            }
            _ = Fetch<Target, Secret>(\.secrets) { _, _ async throws(APIError) in "" }
                .writes(\.words) { words, _, word in words.append(word) }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("The query \"secret\" is transient"))
        #expect(text.contains("To fix this, read them from the cache"))
    }
}
#endif
