// SPDX-License-Identifier: MIT
#if Testing

import Onward
import OnwardJournal
import OnwardTesting
import Testing

// What stands between the comments is shown, step by step, in Documentation/Learn/RockPaperScissors.md.

// recipe: learn-state
enum Hand: String, CaseIterable, Codable, Sendable { case rock, paper, scissors }

struct Match: Codable, Equatable, Sendable {
    var you: Hand?
    var computer: Hand?
    var yourPoints = 0
    var computersPoints = 0
}

enum MatchAction: Action, Codable, Equatable {
    case show(Hand)
    case computerShows(Hand)
    case nextRound
}
// end

// recipe: learn-reducer
// tested: paper beats rock, and the first hand counts
extension Hand {
    func beats(_ other: Hand) -> Bool {
        switch (self, other) {
        case (.rock, .scissors), (.scissors, .paper), (.paper, .rock): true
        default: false
        }
    }
}

let rules = Reduce<Match> { (match, action: MatchAction) in
    switch action {
    case .show(let hand):
        if match.you == nil { match.you = hand }
    case .computerShows(let hand):
        guard let you = match.you, match.computer == nil else { return }
        match.computer = hand
        if you.beats(hand) { match.yourPoints += 1 }
        if hand.beats(you) { match.computersPoints += 1 }
    case .nextRound:
        (match.you, match.computer) = (nil, nil)
    }
}
// end

// recipe: learn-effect
// tested: the computer shows a hand after a second, and the next round comes by itself
let computer = OnAction<Match, MatchAction> { match, action, context in
    guard case .show = action, match.computer == nil else { return .none }
    return .run(id: "thinking", .dropping) {
        try await context.clock.sleep(for: .seconds(1))
        var random = context.random
        let hand = Hand.allCases.randomElement(using: &random) ?? .rock
        context.dispatch(MatchAction.computerShows(hand))
    }
}
// end

// recipe: learn-feature
// tested: the computer shows a hand after a second, and the next round comes by itself
let game = Feature<Match> {
    rules
    computer
    nextRound
}
// end

// recipe: learn-while
// tested: the computer shows a hand after a second, and the next round comes by itself
extension Match {
    var isDecided: Bool { you != nil && computer != nil }
}

let nextRound = While<Match>(\.isDecided) { _, context in
    try await context.clock.sleep(for: .seconds(3))
    context.dispatch(MatchAction.nextRound)
}
// end

// recipe: learn-selector
// tested: what stands at the top follows from the hands
let headline = StateSelector<Match, String>(StateSelector(\.you), StateSelector(\.computer)) {
    you, computer in
    switch (you, computer) {
    case (nil, _): "Your turn"
    case (_, nil): "The computer is thinking …"
    case (let you?, let computer?):
        you.beats(computer) ? "You win" : computer.beats(you) ? "The computer wins" : "Nobody wins"
    }
}
// end

struct LearnTests {
    @Test func `a match begins without hands and points`() {
        #expect(Match() == Match(you: nil, computer: nil, yourPoints: 0, computersPoints: 0))
    }

    @Test func `paper beats rock, and the first hand counts`() {
        // recipe: learn-store
        let store = Store(Match()) { rules }
        let token = store.subscribe(\.yourPoints) { old, new in print("points:", old, "→", new) }
        store.dispatch(MatchAction.show(.paper))
        store.dispatch(MatchAction.show(.rock))  // too late
        store.dispatch(MatchAction.computerShows(.rock))  // prints: points: 0 → 1
        // end
        #expect(store.state == Match(you: .paper, computer: .rock, yourPoints: 1))
        token.cancel()
    }

    @Test func `the computer shows a hand after a second, and the next round comes by itself`()
        async
    {
        // recipe: learn-test
        let store = TestStore(Match(), seed: 7) { game }
        await store.dispatch(MatchAction.show(.paper)) { $0.you = .paper }
        await store.advance(by: .seconds(1))
        await store.receive(MatchAction.self, .partial)
        await store.advance(by: .seconds(3))
        await store.receive(MatchAction.nextRound, .partial) { ($0.you, $0.computer) = (nil, nil) }
        await store.finish()
        // end
    }

    @Test func `what stands at the top follows from the hands`() {
        let store = Store(Match()) { rules }
        let lines = Recorder(of: store, .selector(headline), initially: true)
        store.dispatch(MatchAction.show(.rock))
        store.dispatch(MatchAction.computerShows(.paper))
        store.dispatch(MatchAction.nextRound)
        #expect(
            lines.changes.map(\.new) == [
                "Your turn", "The computer is thinking …", "The computer wins", "Your turn",
            ])
    }

    @Test func `the log of a match leads to the same state again, and back`() throws {
        // recipe: learn-log
        let store = Store(Match()) { rules }
        let history = History(of: store)
        for action in [
            MatchAction.show(.rock), .computerShows(.scissors), .nextRound, .show(.paper),
        ] {
            store.dispatch(action)
        }
        history.jump(to: 2)  // the store shows the end of the first round
        print(store.state.yourPoints, store.state.computer ?? .rock)  // 1 scissors
        history.jumpToEnd()
        // end
        #expect(store.state == Match(you: .paper, yourPoints: 1))
        let log = RecordedLog(
            from: #"{"computersPoints":0,"yourPoints":0}"#,
            [
                .init("MatchAction/show", #"{"value":"rock"}"#),
                .init("MatchAction/computerShows", #"{"value":"scissors"}"#),
                .init("MatchAction/nextRound"),
                .init("MatchAction/show", #"{"value":"paper"}"#),
            ])
        #expect(try log.state(by: Store(Match()) { rules }) == store.state)
        history.detach()
    }

    @Test func `points survive the end of the program`() async throws {
        let journal = MemoryJournal()
        // recipe: learn-keeping
        @Sendable func open(_ journal: some Journal) async throws -> Persistence<Match> {
            // In an app: SQLiteJournal(at: "match.sqlite").
            try await Persistence(of: Match(), in: journal) { game }
        }
        // end
        let first = try await open(journal)
        try await first.dispatch(MatchAction.show(.paper))
        try await first.dispatch(MatchAction.computerShows(.rock))
        try await first.flush()
        let second = try await open(journal)
        #expect(second.store.state.yourPoints == 1)
        await first.store.shutdown()
        try await second.shutdown()
    }
}
#endif
