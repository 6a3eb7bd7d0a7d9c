// SPDX-License-Identifier: MIT
#if Testing

import Foundation
import Onward
import OnwardJournal
import OnwardQueries
import OnwardReports
import OnwardTesting
import Testing

/// What a report of a session has of a server's answers: those that are kept, and no others.
@Suite struct ReportedAnswerTests {
    struct Card: Codable, Equatable, Identifiable, Sendable {
        let id: Int
        var holder: String
        @Redacted var code = 0
    }
    struct Cards: Query {
        static let name = "cards"
        typealias Answer = [Card]
        typealias Failure = APIError
    }
    struct Pin: Query {
        static let name = "pin"
        static let isTransient = true
        struct Answer: Codable, Equatable, Sendable { var word: String, number: Int }
        typealias Failure = APIError
        let card: Int
    }
    struct Wallet: Codable, Equatable, Sendable, SavableBase {
        var cards: EntityTable<Card> = []
        static let mutations: [any Mutation<Wallet>.Type] = []
    }
    struct App: Codable, Equatable, Sendable {
        var cards = QueryCache<Cards>()
        var pins = QueryCache<Pin>()
        var wallet = Overlaid(Wallet())
    }

    private let cards = ManualAnswers<Cards, [Card], APIError>(cancelled: .cancelled)
    private let pins = ManualAnswers<Pin, Pin.Answer, APIError>(cancelled: .cancelled)
    private let secret = Pin.Answer(word: "swordfish", number: 918_273_645)

    private var feature: Feature<App> {
        Feature { [cards, pins] in
            Fetch(\.cards, while: { _ in [Cards()] }) { query, _ async throws(APIError) in
                try await cards.answer(to: query)
            }
            .writes(\.wallet) { wallet, _, answer in wallet.cards.upsert(contentsOf: answer) }
            Fetch(\.pins, while: { _ in [Pin(card: 4_711)] }) { query, _ async throws(APIError) in
                try await pins.answer(to: query)
            }
        }
    }

    /// A session in which both are answered, and what the app showed at its end.
    private func session() async throws -> (RecordedSession, App) {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("onward-answers-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = Store(App()) { feature }
        let recorder = try SessionRecorder(store, at: folder.path)
        #expect(await cards.isAsked(Cards()))
        #expect(await pins.isAsked(Pin(card: 4_711)))
        cards.give(.success([Card(id: 4_711, holder: "Emma", code: 123_454_321)]), to: Cards())
        pins.give(.success(secret), to: Pin(card: 4_711))
        let shown = try await store.wait {
            $0.wallet.shown.cards.count == 1 && $0.pins.value(of: Pin(card: 4_711)) == secret
        }
        let session = try await recorder.session()
        await recorder.stop()
        await store.shutdown()
        return (session, shown)
    }

    @Test func `a report has the answers that are kept, redacted, and nothing of a transient one`()
        async throws
    {
        let (session, shown) = try await session()
        let report = try session.report(in: feature)
        #expect(report.redaction?.course == .same)
        let text = report.text()
        #expect(text.contains("cards/answered") && text.contains("4711"))
        #expect(text.contains("pin/received"))
        for hidden in ["Emma", "123454321", "swordfish", "918273645"] {
            #expect(!text.contains(hidden), "\(hidden)")
        }
        let replayed = try report.replayed(in: feature) as ReplayedReport<App>
        let state = replayed.store.state
        let answer = try #require(state.cards.value(of: Cards()))
        #expect(answer.map(\.id) == [4_711] && answer[0].holder != "Emma")
        // The table that the answer was written into has the same stand-ins.
        #expect(Array(state.wallet.shown.cards) == answer)
        #expect(state.cards.status(of: Cards()) == .fresh)
        #expect(shown.cards.value(of: Cards()) != answer)
        #expect(state.pins.value(of: Pin(card: 4_711)) == nil)
        #expect(state.pins.entries.map(\.isFetching) == [false])
    }

    @Test func `nothing of a transient answer is recorded before redaction, or allowed afterwards`()
        async throws
    {
        let (session, _) = try await session()
        let recorded = session.unredacted.text()
        #expect(recorded.contains("Emma") && recorded.contains("pin/received"))
        #expect(!recorded.contains("swordfish") && !recorded.contains("918273645"))
        let redaction = Redaction<App>().allowingTexts { _ in true }
        let report = try session.report(in: feature, redacting: redaction).text()
        #expect(report.contains("Emma") && !report.contains("123454321"))
        #expect(!report.contains("swordfish") && !report.contains("918273645"))
    }
}
#endif
