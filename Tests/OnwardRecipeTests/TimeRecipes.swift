// SPDX-License-Identifier: MIT
#if Testing

import Onward
import OnwardTesting
import Testing

// What stands between the comments is shown in Documentation/Cook/Time.md.
struct TimeRecipes {
    @Test func `a countdown ends by itself, and stops when it is stopped`() async {
        // recipe: countdown
        struct Egg: Equatable, Sendable {
            var left: Int?
            var isBoiling: Bool { left != nil }
        }
        enum EggAction: Action, Equatable { case boil(Int), tick, stop }

        let egg = Feature<Egg> {
            // shown as: Reduce { … }  // a tick takes a second away; at zero left is nil, as after a stop
            Reduce { (egg, action: EggAction) in
                switch action {
                case .boil(let seconds): egg.left = seconds
                case .tick: egg.left = egg.left.flatMap { $0 > 1 ? $0 - 1 : nil }
                case .stop: egg.left = nil
                }
            }
            // to here
            While(\.isBoiling) { _, context in
                for await _ in context.clock.ticks(every: .seconds(1)) {
                    context.dispatch(EggAction.tick)
                }
            }
        }
        // end
        let store = TestStore(Egg()) { egg }
        await store.dispatch(EggAction.boil(2)) { $0.left = 2 }
        await store.advance(by: .seconds(5))
        await store.receive(EggAction.tick) { $0.left = 1 }
        await store.receive(EggAction.tick) { $0.left = nil }
        await store.dispatch(EggAction.boil(60)) { $0.left = 60 }
        await store.dispatch(EggAction.stop) { $0.left = nil }
        await store.advance(by: .seconds(60))
        await store.finish()
    }

    @Test func `a countdown that is paused goes on where it stood, to the millisecond`() async {
        // recipe: countdown-with-pauses
        struct Round: Equatable, Sendable {
            var left = Duration.zero  // while it stands
            var end: Timestamp?  // while it runs
        }
        enum RoundAction: Action, Equatable {
            case set(Duration), toggle, resumed(Timestamp), paused(Timestamp), ended
        }

        let round = Feature<Round> {
            Reduce { (round, action: RoundAction) in
                switch action {
                case .set(let duration): round = Round(left: duration)
                case .toggle: break
                case .resumed(let now): round.end = now + round.left
                case .paused(let now):
                    if let end = round.end { round = Round(left: max(.zero, end - now)) }
                case .ended: round = Round()
                }
            }
            OnAction { (round, action: RoundAction, context) in
                guard action == .toggle else { return .none }
                let now = context.now
                return .dispatch(round.end == nil ? RoundAction.resumed(now) : .paused(now))
            }
            While(\.end) { end, context in
                try await context.clock.sleep(for: max(.zero, end - context.now))
                context.dispatch(RoundAction.ended)
            }
        }
        // end
        let store = TestStore(Round()) { round }
        await store.dispatch(RoundAction.set(.seconds(10))) { $0.left = .seconds(10) }
        await store.dispatch(RoundAction.toggle)
        await store.receive(RoundAction.self, .partial)
        await store.advance(by: .milliseconds(2900))
        await store.dispatch(RoundAction.toggle)
        await store.receive(RoundAction.self, .partial)
        #expect(store.state == Round(left: .milliseconds(7100)))
        await store.advance(by: .seconds(60))
        await store.dispatch(RoundAction.toggle)
        await store.receive(RoundAction.self, .partial)
        await store.advance(by: .milliseconds(7099))
        #expect(store.state.end != nil)
        await store.advance(by: .milliseconds(1))
        await store.receive(RoundAction.ended) { $0 = Round() }
        await store.finish()
    }

    @Test func `a poll comes an interval after the last one, however often that changes`() async {
        // recipe: changing-interval
        struct Feed: Equatable, Sendable {
            var perMinute: Int?, polls = 0
            var interval: Duration? { perMinute.map { .seconds(60) / $0 } }
        }
        enum FeedAction: Action, Equatable { case adjust(Int?), polled }

        let feed = Feature<Feed> {
            // shown as: Reduce { … }  // sets how often, and counts the polls
            Reduce { (feed, action: FeedAction) in
                switch action {
                case .adjust(let number): feed.perMinute = number
                case .polled: feed.polls += 1
                }
            }
            // to here
            While(\.interval) { interval, context in
                for await _ in context.ticks(every: interval) {
                    context.dispatch(FeedAction.polled)
                }
            }
        }
        // end
        let store = TestStore(Feed()) { feed }
        await store.dispatch(FeedAction.adjust(10)) { $0.perMinute = 10 }
        for number in [12, 10, 12, 10, 12] {
            await store.advance(by: .seconds(1))
            await store.dispatch(FeedAction.adjust(number)) { $0.perMinute = number }
        }
        await store.receive(FeedAction.polled) { $0.polls = 1 }
        await store.dispatch(FeedAction.adjust(nil)) { $0.perMinute = nil }
        await store.advance(by: .seconds(60))
        await store.finish()
    }

    @Test func `who does nothing for a while is logged out`() async {
        // recipe: inactivity
        struct Session: Equatable, Sendable {
            var user: String?, activity = 0
            var watched: Int? { user == nil ? nil : activity }
        }
        enum SessionAction: Action, Equatable { case logIn(String), active, timedOut }

        let session = Feature<Session> {
            Reduce { (session, action: SessionAction) in
                switch action {
                case .logIn(let user): session.user = user
                case .active: session.activity += 1
                case .timedOut: session = Session()
                }
            }
            While(\.watched) { _, context in
                try await context.clock.sleep(for: .seconds(600))  // begins anew with each activity
                context.dispatch(SessionAction.timedOut)
            }
        }
        // end
        let store = TestStore(Session()) { session }
        await store.dispatch(SessionAction.logIn("ann")) { $0.user = "ann" }
        await store.advance(by: .seconds(599))
        await store.dispatch(SessionAction.active) { $0.activity = 1 }
        await store.advance(by: .seconds(599))
        await store.advance(by: .seconds(1))
        await store.receive(SessionAction.timedOut) { ($0.user, $0.activity) = (nil, 0) }
        await store.finish()
    }

    @Test func `a message goes by itself, and a newer one has its whole time`() async {
        // recipe: toast
        struct Toast: Equatable, Sendable { let number: Int, text: String }
        struct App: Equatable, Sendable { var count = 0, toast: Toast? }
        enum AppAction: Action, Equatable { case say(String), gone(Int) }

        let app = Feature<App> {
            Reduce { (app, action: AppAction) in
                switch action {
                case .say(let text):
                    app.count += 1
                    app.toast = Toast(number: app.count, text: text)
                case .gone(let number): if app.toast?.number == number { app.toast = nil }
                }
            }
            While(\.toast?.number) { number, context in
                try await context.clock.sleep(for: .seconds(3))
                context.dispatch(AppAction.gone(number))
            }
        }
        // end
        let store = TestStore(App()) { app }
        await store.dispatch(AppAction.say("Saved.")) {
            ($0.count, $0.toast) = (1, Toast(number: 1, text: "Saved."))
        }
        await store.advance(by: .seconds(2))
        await store.dispatch(AppAction.say("Sent.")) {
            ($0.count, $0.toast) = (2, Toast(number: 2, text: "Sent."))
        }
        await store.advance(by: .seconds(2))
        await store.advance(by: .seconds(1))
        await store.receive(AppAction.gone(2)) { $0.toast = nil }
        await store.finish()
    }

    @Test func `a position is reported once a second however often it changes`() async {
        // recipe: throttling
        struct Map: Equatable, Sendable { var x = 0 }
        enum MapAction: Action, Equatable { case moved(Int) }

        func map(_ report: @escaping @Sendable (Int) async throws -> Void) -> Feature<Map> {
            Feature {
                Reduce { (map, action: MapAction) in if case .moved(let x) = action { map.x = x } }
                OnAction { (action: MapAction, _) in
                    guard case .moved(let x) = action else { return .none }
                    return .run(id: "report") { try await report(x) }.throttle(
                        for: .seconds(1), .both)
                }
            }
        }
        // end
        let reported = Guarded<[Int]>([])
        let store = TestStore(Map()) { map { x in reported.withValue { $0.append(x) } } }
        for x in 1...5 { await store.dispatch(MapAction.moved(x)) { $0.x = x } }
        await store.advance(by: .seconds(1))
        #expect(reported.withValue { $0 } == [1, 5])
        await store.finish(.partial)
    }

    @Test func `a date in the state came with an action, so that a replay gives the same`() throws {
        // recipe: dates
        struct Note: Equatable, Sendable, Identifiable { let id: UniqueID; let made: Timestamp }
        struct Notes: Equatable, Sendable { var all: EntityTable<Note> = [] }
        enum NotesAction: Action { case make }

        let notes = Feature<Notes> {
            Reduce { (notes: inout Notes, _: NotesAction, stamp) in
                notes.all.append(Note(id: stamp.id(), made: stamp.time))
            }
        }
        // end
        let time = Timestamp(nanosecondsSince1970: 7)
        let options = StoreOptions(wallClock: { time }, ids: IDSource(seed: 1))
        let store = Store(Notes(), options: options) { notes }
        let log = LogRecorder(of: store)
        store.dispatch(NotesAction.make)
        #expect(store.state.all.map(\.made) == [time])
        #expect(store.log.replay(log.entries, from: Notes()) == store.state)
    }

    @Test func `dice are thrown outside the reducer, and a seed repeats them`() async {
        // recipe: random-numbers
        struct Game: Equatable, Sendable { var throwsLeft = 3, eyes: [Int] = [] }
        enum GameAction: Action { case roll, rolled(Int) }

        let game = Feature<Game> {
            // shown as: Reduce { … }  // counts the throws, keeps the eyes that the action brings
            Reduce { (game, action: GameAction) in
                switch action {
                case .roll: game.throwsLeft -= 1
                case .rolled(let eyes): game.eyes.append(eyes)
                }
            }
            // to here
            OnAction { (action: GameAction, context) in
                guard case .roll = action else { return .none }
                var random = context.random
                return .dispatch(GameAction.rolled(Int.random(in: 1...6, using: &random)))
            }
        }
        // end
        func play() -> [Int] {
            let store = Store(Game(), options: StoreOptions(random: RandomSource(seed: 7))) { game }
            for _ in 0..<3 { store.dispatch(GameAction.roll) }
            return store.state.eyes
        }
        #expect(play().count == 3)
        #expect(play() == play())
    }

    @Test func `a budget of requests is spent, and is there again after a minute`() async {
        // recipe: request-budget
        struct Lookups: Equatable, Sendable {
            static let budget = 3
            var left = budget, asked: [String] = [], problem: String?
            var isSpending: Bool { left < Self.budget }
        }
        enum LookupAction: Action, Equatable { case ask(String), refill }

        let lookups = Feature<Lookups> {
            Reduce { (lookups, action: LookupAction) in
                switch action {
                case .ask(let word):
                    lookups.problem = lookups.left == 0 ? "Please wait a minute." : nil
                    guard lookups.left > 0 else { return }
                    lookups.left -= 1
                    lookups.asked.append(word)
                case .refill: (lookups.left, lookups.problem) = (Lookups.budget, nil)
                }
            }
            While(\.isSpending) { _, context in  // a minute from the first request
                try await context.clock.sleep(for: .seconds(60))
                context.dispatch(LookupAction.refill)
            }
        }
        // end
        let store = TestStore(Lookups()) { lookups }
        for (index, word) in ["a", "b", "c"].enumerated() {
            await store.dispatch(LookupAction.ask(word)) {
                $0.left = 2 - index
                $0.asked.append(word)
            }
        }
        await store.dispatch(LookupAction.ask("d")) { $0.problem = "Please wait a minute." }
        await store.advance(by: .seconds(60))
        await store.receive(LookupAction.refill) { ($0.left, $0.problem) = (3, nil) }
        await store.finish()
    }
}
#endif
