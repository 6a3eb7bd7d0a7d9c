// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

/// A state that is an enum, with a feature for each case.
@Suite(.timeLimit(.minutes(5))) struct EnumStateTests {
    struct Lobby: Equatable, Sendable {
        var players: [String] = []
        var isOpen = false
    }

    struct Round: Equatable, Sendable {
        var players: [String]
        var moves = 0
    }

    enum Phase: Equatable, Sendable {
        case closed
        case lobby(Lobby)
        case round(Round)

        var lobby: Lobby? {
            get { if case .lobby(let lobby) = self { lobby } else { nil } }
            set { if let newValue { self = .lobby(newValue) } }
        }

        /// A setter that takes a nil, and any value, for a change of the case.
        var round: Round? {
            get { if case .round(let round) = self { round } else { nil } }
            set { self = newValue.map(Phase.round) ?? .closed }
        }
    }

    struct Game: Equatable, Sendable {
        var phase = Phase.lobby(Lobby())
    }

    enum PhaseAction: Action { case enter(Phase) }
    enum LobbyAction: Action { case join(String), say(String), start, open }
    enum RoundAction: Action { case move, end }
    /// What both of them handle.
    struct Leave: Action { var name: String }

    private static let lobby = Feature<Lobby> {
        Reduce { (lobby, action: LobbyAction) in
            switch action {
            case .join(let name): lobby.players.append(name)
            case .open: lobby.isOpen = true
            case .say, .start: break
            }
        }
        Reduce { (lobby, leave: Leave) in lobby.players.removeAll { $0 == leave.name } }
    }

    private static let round = Feature<Round> {
        Reduce { (round, action: RoundAction) in
            if case .move = action { round.moves += 1 }
        }
        Reduce { (round, leave: Leave) in round.players.removeAll { $0 == leave.name } }
    }

    /// The feature of a phase, in which each case answers with its own.
    private static func phase(_ lobby: Feature<Lobby> = lobby) -> Feature<Phase> {
        Feature {
            Reduce { (phase, action: PhaseAction) in
                if case .enter(let next) = action { phase = next }
            }
            Scope(\.lobby, name: "lobby", lobby)
            Scope(\.round, name: "round", round)
            Reduce(child: \.lobby, name: "lobby") { (phase, action: LobbyAction) in
                guard case .start = action, let lobby = phase.lobby else { return }
                phase = .round(Round(players: lobby.players))
            }
            Reduce(child: \.round, name: "round") { (phase, action: RoundAction) in
                guard case .end = action, let round = phase.round else { return }
                phase = .lobby(Lobby(players: round.players))
            }
        }
    }

    private func makeGame(
        _ phase: Phase = .lobby(Lobby()), _ lobby: Feature<Lobby> = lobby,
        options: StoreOptions = StoreOptions()
    ) -> Store<Game> {
        Store(Game(phase: phase), options: options) { Scope(\.phase, Self.phase(lobby)) }
    }

    // MARK: Reducing

    @Test
    func `an action reaches the feature of the case that is there`() {
        let store = makeGame()
        store.dispatch(LobbyAction.join("Ann"))
        store.dispatch(LobbyAction.join("Bob"))
        store.dispatch(Leave(name: "Ann"))
        #expect(store.state.phase == .lobby(Lobby(players: ["Bob"])))
        store.dispatch(PhaseAction.enter(.round(Round(players: ["Ann", "Bob"]))))
        store.dispatch(RoundAction.move)
        store.dispatch(Leave(name: "Ann"))
        #expect(store.state.phase == .round(Round(players: ["Bob"], moves: 1)))
    }

    @Test(arguments: [Phase.closed, .round(Round(players: ["Ann"]))])
    func `an action for a case that isn't there is refused, and leaves the one that is`(
        phase: Phase
    ) throws {
        let store = makeGame(phase)
        let lobby = try #require(Address("phase/lobby"))
        #expect(store.dispatch(LobbyAction.open) == .refused(.absent))
        #expect(store.dispatch(LobbyAction.open, to: lobby) == .refused(.absent))
        #expect(store.dispatch(LobbyAction.start, to: lobby) == .refused(.absent))
        #expect(store.state.phase == phase)
        #expect(store.log.version == 0)
    }

    @Test
    func `a setter never gets a nil, nor a value for a case that isn't there`() {
        // The setter of `round` would take either for a change of the case.
        let store = makeGame(.lobby(Lobby(players: ["Ann", "Bob"])))
        #expect(store.dispatch(RoundAction.move) == .refused(.absent))
        #expect(store.state.phase.lobby?.players == ["Ann", "Bob"])
        store.dispatch(Leave(name: "Bob"))
        #expect(store.state.phase.lobby?.players == ["Ann"])
        store.dispatch(PhaseAction.enter(.closed))
        #expect(store.dispatch(Leave(name: "Ann")) == .refused(.absent))
        #expect(store.state.phase == .closed)
    }

    @Test
    func `a case that a reducer enters is there for those behind it, one that it leaves is not`() {
        struct Begin: Action {}
        let store = Store(Phase.lobby(Lobby(players: ["Ann"]))) {
            Scope(\.lobby, name: "lobby") {
                Reduce { (lobby, _: Begin) in lobby.players.append("first") }
            }
            Reduce { (phase: inout Phase, _: Begin) in
                phase = .round(Round(players: phase.lobby?.players ?? []))
            }
            Scope(\.lobby, name: "lobby") {
                Reduce { (lobby, _: Begin) in lobby.players.append("late") }
            }
            Scope(\.round, name: "round") {
                Reduce { (round, _: Begin) in round.moves = 7 }
            }
        }
        #expect(store.dispatch(Begin()) == .accepted(1))
        #expect(store.state == .round(Round(players: ["Ann", "first"], moves: 7)))
    }

    @Test
    func `a child has its parent go on to another case in the same commit`() throws {
        let store = makeGame(.lobby(Lobby(players: ["Ann"])))
        let lobby = store.scoped(to: \.phase).scoped(to: \.lobby, name: "lobby")
        #expect(lobby.dispatch(LobbyAction.start) == .accepted(1))
        #expect(store.state.phase == .round(Round(players: ["Ann"])))
        #expect(lobby.dispatch(LobbyAction.start) == .refused(.absent))
        let round = try #require(Address("phase/round"))
        #expect(store.dispatch(RoundAction.end, to: round) == .accepted(2))
        #expect(store.state.phase == .lobby(Lobby(players: ["Ann"])))
    }

    @Test
    func `the address of the enum means whichever case is there`() throws {
        let store = makeGame(.round(Round(players: ["Ann"])))
        let phase = try #require(Address("phase"))
        #expect(store.dispatch(Leave(name: "Ann"), to: phase) == .accepted(1))
        #expect(store.state.phase.round?.players == [])
    }

    @Test
    func `cases of rows and cases inside cases are reached by their addresses`() throws {
        struct Table: Equatable, Sendable, Identifiable {
            let id: Int
            var phase: Phase
        }
        enum Hall: Equatable, Sendable {
            case tables(EntityTable<Table>)
            var tables: EntityTable<Table>? {
                get { if case .tables(let tables) = self { tables } else { nil } }
                set { if let newValue { self = .tables(newValue) } }
            }
        }
        let tables: EntityTable<Table> = [
            Table(id: 1, phase: .lobby(Lobby())), Table(id: 2, phase: .round(Round(players: []))),
            Table(id: 3, phase: .lobby(Lobby())),
        ]
        let store = Store(Hall.tables(tables)) {
            Scope(\.tables, name: "tables") {
                Scope(each: \.self, name: "all") { Scope(\.phase, Self.phase()) }
            }
        }
        let third = try #require(Address("tables/all/#3/phase/lobby"))
        #expect(store.dispatch(LobbyAction.join("Ann"), to: third) == .accepted(1))
        let second = try #require(Address("tables/all/#2/phase/lobby"))
        #expect(store.dispatch(LobbyAction.join("Ann"), to: second) == .refused(.absent))
        store.dispatch(LobbyAction.join("Bob"))
        #expect(
            store.state.tables?.map(\.phase.lobby?.players) == [["Bob"], nil, ["Ann", "Bob"]])
    }

    // MARK: Effects

    /// A lobby whose effect waits at a barrier, and then lets the named player join.
    private func lobby(
        with barrier: Barrier, _ results: Log<DispatchResult>
    ) -> Feature<Lobby> {
        Feature {
            Self.lobby
            OnAction { (action: LobbyAction, context) -> Effect in
                guard case .say(let text) = action else { return .none }
                return .run {
                    await barrier.pass()
                    results.append(context.dispatch(LobbyAction.join(text)))
                }
            }
        }
    }

    @Test
    func `effects of a case end when it is left, and reach no other that is entered after it`()
        async
    {
        let (barrier, results) = (Barrier(), Log<DispatchResult>())
        let store = makeGame(.lobby(Lobby()), lobby(with: barrier, results))
        store.dispatch(LobbyAction.say("late"))
        await barrier.arrivals(1)
        #expect(store.diagnostics.runningEffects.map(\.address.description) == ["phase/lobby"])
        store.dispatch(LobbyAction.start)
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.cancelled])
        store.dispatch(RoundAction.end)
        barrier.open()
        await store.waitUntilIdle()
        #expect(results.all == [.refused(.expired)])
        #expect(store.state.phase == .lobby(Lobby()))
    }

    @Test
    func `also when it is left and entered again within one batch`() async {
        let (barrier, results) = (Barrier(), Log<DispatchResult>())
        let store = makeGame(.lobby(Lobby()), lobby(with: barrier, results))
        store.dispatch(LobbyAction.say("late"))
        await barrier.arrivals(1)
        store.batch {
            store.dispatch(LobbyAction.start)
            store.dispatch(RoundAction.end)
        }
        barrier.open()
        await store.waitUntilIdle()
        #expect(results.all == [.refused(.expired)])
    }

    @Test
    func `a case that gets another value stays, and its effects with it`() async {
        let (barrier, results) = (Barrier(), Log<DispatchResult>())
        let store = makeGame(.lobby(Lobby()), lobby(with: barrier, results))
        store.dispatch(LobbyAction.say("Ann"))
        await barrier.arrivals(1)
        store.dispatch(PhaseAction.enter(.lobby(Lobby(players: ["Bob"]))))
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running])
        barrier.open()
        await store.waitUntilIdle()
        #expect(store.state.phase.lobby?.players == ["Bob", "Ann"])
    }

    @Test
    func `a While of a case lives only while that is the one`() async throws {
        let clock = ManualClock()
        let open = Feature<Lobby> {
            Self.lobby
            While(\.isOpen) { _, context in
                for await _ in context.clock.ticks(every: .seconds(1)) {
                    context.dispatch(LobbyAction.join("guest"))
                }
            }
        }
        let store = makeGame(
            .lobby(Lobby(isOpen: true)), open, options: StoreOptions(clock: clock))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        _ = try await store.wait { $0.phase.lobby?.players == ["guest"] }
        store.dispatch(LobbyAction.start)
        #expect(store.diagnostics.runningEffects.allSatisfy { $0.phase == .cancelled })
        store.dispatch(PhaseAction.enter(.lobby(Lobby(isOpen: true))))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        _ = try await store.wait { $0.phase.lobby?.players == ["guest"] }
        #expect(store.diagnostics.runningEffects.map(\.phase) == [.running])
    }

    // MARK: Stores

    @Test
    func `a store of a case is notified when it is left and entered`() {
        let store = makeGame()
        let lobby = store.scoped(to: \.phase.lobby, name: "lobby")
        let notified = Log<[String]?>()
        let token = lobby.subscribe(\.self) { _, new in notified.append(new?.players) }
        store.dispatch(LobbyAction.join("Ann"))
        store.dispatch(LobbyAction.start)
        store.dispatch(RoundAction.move)
        store.dispatch(RoundAction.end)
        #expect(notified.all == [["Ann"], nil, ["Ann"]])
        token.cancel()
    }

    @Test
    func `values of a case end when it is left`() async throws {
        let store = makeGame()
        let phase = store.scoped(to: \.phase)
        let lobby = try #require(phase.scoped(to: \.lobby, name: "lobby").unwrapped())
        #expect(phase.scoped(to: \.round, name: "round").unwrapped() == nil)
        var players = lobby.values(of: \.players).makeAsyncIterator()
        #expect(await players.next() == [])
        lobby.dispatch(LobbyAction.join("Ann"))
        #expect(await players.next() == ["Ann"])
        lobby.dispatch(LobbyAction.start)
        #expect(await players.next() == nil)
        #expect(lobby.dispatch(LobbyAction.open) == .refused(.absent))
    }

    // MARK: Mistakes

    @Test
    func `a case needs a name, as its property is computed`() {
        let mistakes = Mistakes()
        _ = Store(Game(), options: mistakes.options()) {
            Scope(\.phase.lobby, Self.lobby)
        }
        #expect(mistakes.kinds == [.unnamedScope])
    }
}
