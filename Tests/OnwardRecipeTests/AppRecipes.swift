// SPDX-License-Identifier: MIT
#if Testing

import Onward
import OnwardTesting
import Testing

// What stands between the comments is shown in Documentation/Cook/Apps.md.
struct AppRecipes {
    @Test func `a child says what happened, and its parent decides what follows`() {
        // recipe: child-to-parent
        struct Player: Equatable, Sendable, Identifiable { let id: Int; var score = 0 }
        struct Match: Equatable, Sendable { var players: EntityTable<Player> = [], winner: Int? }
        enum PlayerAction: Action { case scored }

        let match = Feature<Match> {
            Scope(each: \.players) {
                Reduce { (player, _: PlayerAction) in player.score += 1 }
            }
            // After the row, in the same commit.
            Reduce(each: \.players) { (match, id, _: PlayerAction) in
                if match.players[id: id]?.score == 3 { match.winner = id }
            }
        }
        // end
        let store = Store(Match(players: [Player(id: 1), Player(id: 2)])) { match }
        for score in 1...3 {
            #expect(store.state.winner == nil)
            store.dispatch(PlayerAction.scored, to: .row(\.players, id: 2))
            #expect(store.state.players[id: 2]?.score == score)
        }
        #expect(store.state.winner == 2)
        #expect(store.log.version == 3)
    }

    @Test func `features share a value that lies above both`() {
        // recipe: sharing
        struct App: Equatable, Sendable { var currency = "EUR", cart = Cart(), history = History() }
        struct Cart: Equatable, Sendable { var total = 0 }
        struct History: Equatable, Sendable { var totals: [String] = [] }
        enum CartAction: Action { case add(Int), buy }

        let app = Feature<App> {
            // shown as: Scope(\.cart) { … }  // adds the price to the total
            Scope(\.cart) {
                Reduce { (cart, action: CartAction) in
                    if case .add(let price) = action { cart.total += price }
                }
            }
            // to here
            Reduce(child: \.cart) { (app, action: CartAction) in  // sees both, and what they share
                guard case .buy = action else { return }
                app.history.totals.append("\(app.cart.total) \(app.currency)")
                app.cart.total = 0
            }
        }
        // end
        let store = Store(App()) { app }
        let cart = store.scoped(to: \.cart, sending: CartAction.self)
        cart.send(.add(30))
        cart.send(.buy)
        #expect(store.state.history.totals == ["30 EUR"])
    }

    @Test func `what a feature needs of the world is given to it`() async {
        // recipe: dependencies
        struct Weather: Sendable { var degrees: @Sendable (String) async throws -> Int }
        struct Forecast: Equatable, Sendable { var degrees: Int? }
        enum ForecastAction: Action, Equatable { case ask(String), answer(Int) }

        func forecast(_ weather: Weather) -> Feature<Forecast> {
            Feature {
                // shown as: Reduce { … }  // keeps the answer
                Reduce { (forecast, action: ForecastAction) in
                    if case .answer(let degrees) = action { forecast.degrees = degrees }
                }
                // to here
                OnAction { (action: ForecastAction, context) in
                    guard case .ask(let city) = action else { return .none }
                    return .run(id: "ask", .latest) {
                        context.dispatch(ForecastAction.answer(try await weather.degrees(city)))
                    }
                }
            }
        }
        // end
        let store = TestStore(Forecast()) { forecast(Weather { city in city.count }) }
        await store.dispatch(ForecastAction.ask("Oslo"))
        await store.receive(ForecastAction.answer(4)) { $0.degrees = 4 }
        await store.finish()
    }

    @Test func `a feature that is switched off is not there`() {
        // recipe: feature-flags
        struct App: Equatable, Sendable { var likes = 0, isLive = false }
        struct Like: Action {}
        struct GoLive: Action {}

        func app(hasLive: Bool) -> Feature<App> {
            Feature {
                Reduce { (app, _: Like) in app.likes += 1 }
                if hasLive {
                    Reduce { (app, _: GoLive) in app.isLive = true }
                }
            }
        }
        // end
        let with = Store(App()) { app(hasLive: true) }
        with.dispatch(GoLive())
        #expect(with.state.isLive)
        #expect(Store(App()) { app(hasLive: false) }.log.actions.names.count == 1)
    }

    @Test func `many changes are notified once`() {
        // recipe: batching
        struct Board: Equatable, Sendable { var cells = Array(repeating: 0, count: 9) }
        enum BoardAction: Action { case set(Int, to: Int) }

        // shown as: let store: Store<Board>
        let store = Store(Board()) {
            Reduce { (board, action: BoardAction) in
                if case .set(let cell, let value) = action { board.cells[cell] = value }
            }
        }
        // to here
        func fill(_ values: [Int]) {
            store.batch {
                for (cell, value) in values.enumerated() {
                    store.dispatch(BoardAction.set(cell, to: value))
                }
            }
        }
        // end
        let calls = Recorder(of: store, \.cells)
        fill([1, 2, 3])
        #expect(calls.changes.count == 1)
        #expect(store.log.version == 3)
    }

    @Test func `every action is counted, wherever it was dispatched`() {
        // recipe: analytics
        struct Analytics<State: Sendable>: CommitObserver {
            let track: @Sendable (String) -> Void  // what an analytics kit offers

            func observe(_ commit: Commit<State>) {  // in order, outside the lock, for every commit
                track(commit.entry.action.wireName)
            }
        }
        // end
        struct Counter: Equatable, Sendable { var count = 0 }
        enum CounterAction: Action { case up, down }
        let store = Store(Counter()) {
            Reduce { (counter, action: CounterAction) in counter.count += action == .up ? 1 : -1 }
        }
        let tracked = Guarded<[String]>([])
        let token = store.log.attach(Analytics { name in tracked.withValue { $0.append(name) } })
        for action in [CounterAction.up, .up, .down] { store.dispatch(action) }
        let cases = tracked.withValue { $0.map { $0.split(separator: "/").last ?? "" } }
        #expect(cases == ["up", "up", "down"])
        token.cancel()
    }

    @Test func `a password shows in no log and no description`() {
        // recipe: secrets
        enum LoginAction: Action { case submit(name: String, password: Redacted<String>) }

        struct Login: Sendable { var name = "", password = Redacted("") }
        func login(log: @escaping @Sendable (String) -> Void) -> Feature<Login> {
            Feature {
                ActionLogger(changes: true, log)
                Reduce { (login, action: LoginAction) in
                    if case .submit(let name, let password) = action {
                        (login.name, login.password) = (name, password)
                    }
                }
            }
        }
        // end
        let lines = Guarded<[String]>([])
        let store = Store(Login()) { login { line in lines.withValue { $0.append(line) } } }
        let action = LoginAction.submit(name: "ann", password: Redacted("hunter2"))
        store.dispatch(action)
        #expect(store.state.password.wrappedValue == "hunter2")
        #expect(!"\(action)\(store.state)".contains("hunter2"))
        let log = lines.withValue { $0.joined() }
        #expect(log.contains("ann") && log.contains("‹redacted›") && !log.contains("hunter2"))
    }

    @Test func `actions that a user may not send are dropped before the reducers`() {
        // recipe: permissions
        struct Documents: Equatable, Sendable { var isAdmin = false, all = ["Plan"] }
        enum DocumentsAction: Action { case open(String), delete(String) }

        struct Permissions: Middleware {
            typealias State = Documents

            func handle<A: Action>(
                _ action: A, in context: borrowing MiddlewareContext<Documents>
            ) -> DispatchResult {
                if case .delete? = action as? DocumentsAction, !context.state.isAdmin {
                    return .withheld
                }
                return context.next(action)
            }
        }
        let documents = Feature<Documents> {
            Permissions()
            // shown as: Reduce { … }  // deletes the document
            Reduce { (documents, action: DocumentsAction) in
                if case .delete(let name) = action { documents.all.removeAll { $0 == name } }
            }
            // to here
        }
        // end
        let store = Store(Documents()) { documents }
        #expect(store.dispatch(DocumentsAction.delete("Plan")) == .withheld)
        #expect(store.state.all == ["Plan"])
    }

    @Test @MainActor func `a label follows a value for as long as it is there`() {
        // recipe: labels
        @MainActor final class Label { var text = "" }  // a UILabel, an NSTextField, a terminal

        struct Game: Equatable, Sendable { var score = 0 }
        struct Scored: Action {}
        @MainActor final class ScoreScreen {
            let label = Label()
            private var token: Subscription?

            init(_ store: Store<Game>) {
                token = store.subscribe(\.score, initially: true) { [label] _, score in
                    label.text = "\(score) points"
                }
            }
        }
        // end
        let store = Store(Game()) { Reduce { (game, _: Scored) in game.score += 1 } }
        var screen: ScoreScreen? = ScoreScreen(store)
        let label = screen?.label
        store.dispatch(Scored())
        #expect(label?.text == "1 points")
        screen = nil
        store.dispatch(Scored())
        #expect(label?.text == "1 points")
    }

    @Test func `a list draws a row anew only when that row has changed`() {
        // recipe: list-of-rows
        struct Item: Equatable, Sendable, Identifiable { let id: Int; var isDone = false }
        struct List: Equatable, Sendable { var items: EntityTable<Item> = [] }
        enum ItemAction: Action { case toggle }

        let list = Feature<List> {
            Scope(each: \.items) { Reduce { (item, _: ItemAction) in item.isDone.toggle() } }
        }
        // What its view is handed.
        func row(_ id: Int, of store: Store<List>) -> FeatureStore<Item?, ItemAction> {
            store.scoped(to: .row(\.items, id: id), sending: ItemAction.self)
        }
        // end
        let store = Store(List(items: [Item(id: 1), Item(id: 2)])) { list }
        let drawn = Guarded<[Int]>([])
        let tokens = [1, 2].map { id in
            row(id, of: store).subscribe(\.?.isDone, isolation: nil) { _, _ in
                drawn.withValue { $0.append(id) }
            }
        }
        row(2, of: store).send(.toggle)
        #expect(drawn.withValue { $0 } == [2])
        tokens.forEach { $0.cancel() }
    }

    @Test func `no sequence of actions breaks a rule`() throws {
        // recipe: rules with OnwardTesting
        struct Account: Equatable, Sendable { var balance = 0 }
        enum AccountAction: Action { case deposit(Int), withdraw(Int) }

        // shown as: let account: Feature<Account>  // withdraws only what is there
        let account = Feature<Account> {
            Reduce { (account, action: AccountAction) in
                switch action {
                case .deposit(let amount): account.balance += amount
                case .withdraw(let amount):
                    if amount <= account.balance { account.balance -= amount }
                }
            }
        }
        // to here
        account.check(
            from: Account(), always: ["the balance is never negative": { $0.balance >= 0 }]
        ) { random, _ in
            Bool.random(using: &random)
                ? AccountAction.deposit(.random(in: 0...9, using: &random))
                : AccountAction.withdraw(.random(in: 0...9, using: &random))
        }
        // end
    }
}
#endif
