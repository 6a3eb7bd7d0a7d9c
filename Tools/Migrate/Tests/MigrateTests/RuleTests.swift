// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import Migrate

@Suite("Rule")
struct RuleTests {
    /// The lines of a file in which a rule finds something.
    private func lines(
        _ rule: Rule, _ text: String, importing module: String = "ReSwift", _ others: String...
    ) throws -> [Int] {
        let files = try ([text] + others).enumerated().map { index, text in
            try #require(SourceFile("import \(module)\n" + text, path: "\(index).swift"))
        }
        return CodeBase(files).findings(of: [rule]).filter { $0.path == "0.swift" }
            .map { $0.line - 1 }
    }

    // MARK: Names

    @Test func `A type in a type, or private to a file, takes no name from the library`() throws {
        let text = """
            class Screen: StoreSubscriber {
                func newState(state: AppState) { store.dispatch(Next()) }
                let store: Store<AppState>
            }
            """
        let hidden = [
            "enum Net { class Store<Key> { var state = 0 } }",
            "private class Store { var state = 0 }",
            "extension Net { typealias Store = Cache }",
        ]
        for other in hidden {
            #expect(try lines(.dispatchInNewState, text, importing: "ReSwift", other) == [2])
        }
        let own = "class Store<State> { func dispatch(_ action: Any) {} }"
        #expect(try lines(.dispatchInNewState, text, importing: "ReSwift", own).isEmpty)
        let file = try #require(SourceFile("import ReSwift\n" + own, path: "Own.swift"))
        #expect(
            CodeBase([file]).takenNames.map(\.text) == [
                """
                Own.swift:2:7: Store is a type of the app's own here, so Store is nowhere taken for \
                that of the library
                """
            ])
    }

    @Test func `Another name for the library's own type takes nothing from the library`() throws {
        let text = "final class Load: Action { var url = 1 }"
        let alias = "typealias Action = ReSwift.Action"
        #expect(try lines(.sharedAction, text, importing: "ReSwift", alias) == [1])
        #expect(
            try lines(.sharedAction, text, importing: "ReSwift", "typealias Action = Own.Action")
                == [])
    }

    @Test func `A newState in a type that conforms to nothing is no subscriber's`() throws {
        let text = "class Other { func newState(state: Int) { mainStore.dispatch(A()) } }"
        #expect(try lines(.dispatchInNewState, text).isEmpty)
    }

    @Test func `What the app itself calls random is followed, not suspected`() throws {
        let text = """
            struct Deck { func shuffled() -> Deck { self }; func random() -> Int { 4 } }
            func reduce(action: Action, state: Deck?) -> Deck {
                let deck = state ?? Deck()
                _ = deck.random()
                _ = [1].shuffled()
                return deck.shuffled()
            }
            """
        #expect(try lines(.impureReducer, text) == [5])
    }

    @Test func `Routers with closures that select nothing are of early versions`() throws {
        let text = """
            let first = Router(store: store, rootRoutable: root) { state in state.navigation }
            let second = Router(store: store, rootRoutable: root, stateTransform: { $0.navigation })
            let third = Router(store: store, rootRoutable: root) { $0.select { $0.navigation } }
            let last = Router(store: store, rootRoutable: root, stateSelector: { $0.navigation })
            """
        #expect(try lines(.olderRouter, text, importing: "ReSwiftRouter") == [1, 2, 4])
    }

    @Test func `A function of the app's own keeps its old name`() throws {
        let text = """
            struct Own {
                func createThunksMiddleware() {}
                func call() {
                    self.createThunksMiddleware()
                    createThunksMiddleware()
                }
            }
            let theirs: Middleware<AppState> = createThunksMiddleware()
            let same: Middleware<AppState> = ReSwiftThunk.createThunksMiddleware()
            """
        #expect(try lines(.renamed, text, importing: "ReSwiftThunk") == [8, 9])
    }

    @Test func `Functions that all call each other are visited once`() throws {
        let names = (0..<150).map { "step\($0)" }
        let functions = names.map { name in
            "func \(name)() { " + names.map { "\($0)(); " }.joined() + "}"
        }
        let text = """
            func reduce(action: Action, state: Int?) -> Int { step0(); return 0 }
            """
        #expect(
            try lines(
                .impureReducer, text, importing: "ReSwift", functions.joined(separator: "\n")
            ).isEmpty)
    }

    // MARK: Subscribers

    @Test func `Finds dispatches in newState, and only there`() throws {
        let text = """
            class Screen: StoreSubscriber {
                func newState(state: AppState) {
                    // store.dispatch(Comment())
                    label.text = "store.dispatch(Text())"
                    if state.isOver { store.dispatch(Next()) }
                }
                func tap() { store.dispatch(Tap()) }
            }
            """
        #expect(try lines(.dispatchInNewState, text) == [5])
    }

    @Test func `Follows methods, overrides, extensions in other files and functions in functions`()
        throws
    {
        let text = """
            class Screen: Base {
                func newState(state: AppState) {
                    func again() { store.dispatch(Again()) }
                    refresh()
                    self.other.finish()
                    again()
                    harmless()
                    hook()
                }
                func refresh() { if isOpen { load() } }
                func harmless() { DispatchQueue.main.async { self.load() } }
                func hook() {}
                let other = Other()
            }
            class Deeper: Screen { override func hook() { load() } }
            """
        let others = """
            extension Screen { func load() { store.dispatch(Load()) } }
            struct Other { func finish() { store.dispatch(Finish()) } }
            """
        #expect(try lines(.dispatchInNewState, text, others) == [4, 5, 6, 8])
    }

    @Test func `Follows observers of properties, and closures that run at once`() throws {
        let text = """
            class Screen: StoreSubscriber {
                var rows: [Int] = [] { didSet { store.dispatch(Shown()) } }
                var title = ""
                func newState(state: AppState) {
                    title = state.title
                    rows = state.rows
                    state.rows.forEach { store.dispatch(Row($0)) }
                    button.onTap = { store.dispatch(Tap()) }
                    _ = { store.dispatch(Now()) }()
                    state.actions.forEach(store.dispatch)
                    twice { store.dispatch(Twice()) }
                    later { store.dispatch(Later()) }
                }
                func twice(_ body: () -> Void) { body(); body() }
                func later(_ body: @escaping () -> Void) { queue.append(body) }
            }
            """
        #expect(try lines(.dispatchInNewState, text) == [6, 7, 9, 10, 11])
    }

    @Test func `Follows functions that call each other in a circle only once`() throws {
        let text = """
            class Screen: StoreSubscriber {
                func newState(state: Int) { a() }
                func a() { b() }
                func b() { a() }
            }
            """
        #expect(try lines(.dispatchInNewState, text) == [])
    }

    @Test func `Finds dispatches in callbacks of ReduxSwift and in closures of subscribers`() throws
    {
        let redux = """
            subscriptions.subscribe(key: 1) { state in _ = store.dispatch(Next()) }
            subscriptions.unsubscribe(key: 1)
            """
        #expect(try lines(.dispatchInNewState, redux, importing: "ReduxSwift") == [1])
        let text = """
            class Block: StoreSubscriber { init(_ body: @escaping (Int) -> Void) {} }
            let block = Block { _ in store.dispatch(Next()) }
            """
        #expect(try lines(.dispatchInNewState, text) == [2])
    }

    @Test func `Takes no other object for a store`() throws {
        let text = """
            final class Bus { func dispatch(_ event: String) {} }
            class Screen: StoreSubscriber {
                let bus = Bus()
                let eventStore = Bus()
                func newState(state: Int) {
                    bus.dispatch("a")
                    eventStore.dispatch("b")
                    Analytics.shared.dispatch("c")
                }
            }
            """
        #expect(try lines(.dispatchInNewState, text) == [])
    }

    @Test func `Knows stores by their types, whatever they are called`() throws {
        let text = """
            typealias Main = Store<AppState>
            final class Sub: Main, @unchecked Sendable {}
            func make() -> Main { Main(reducer: r, state: nil) }
            struct Wrapper { let inner: Sub; func send(_ a: Action) { inner.dispatch(a) } }
            class Screen: StoreSubscriber {
                let a: Main, b = Sub(reducer: r, state: nil), c = make(), d: DispatchingStoreType
                let wrapper = Wrapper(inner: sub)
                func newState(state: Int) {
                    a.dispatch(X())
                    b.dispatch(X())
                    c.dispatch(X())
                    d.dispatch(X())
                    self.wrapper.inner.dispatch(X())
                    wrapper.send(X())
                    if let e = optional as Main? { e.dispatch(X()) }
                }
            }
            """
        #expect(try lines(.dispatchInNewState, text) == [9, 10, 11, 12, 13, 14])
    }

    // MARK: Reducers

    @Test func `Knows reducers in all their forms`() throws {
        let text = """
            func a(action: Action, state: A?) -> A { store.dispatch(X()); return state! }
            func b(state: A?, action: any Action) -> A { store.dispatch(X()); return state! }
            func c(_ state: inout A, _ action: AppAction) { store.dispatch(X()) }
            let d: Reducer<A> = { action, state in store.dispatch(X()); return state! }
            let e = Store<A>(reducer: { action, state in store.dispatch(X()); return state! }, state: nil)
            func f() -> (Action, A?) -> A { { action, state in store.dispatch(X()); return state! } }
            var g: Reducer<A> { return { action, state in store.dispatch(X()); return state! } }
            struct H: Reducer { func handleAction(action: Action, state: A?) -> A { store.dispatch(X()); return state! } }
            let i = { (action: Action, state: A?) -> A in store.dispatch(X()); return state! }
            func j(state: A, action: Unknown) -> A { store.dispatch(X()); return state }
            enum AppAction: Action {}
            func creator(state: A, store: Store<A>) -> Action? { store.dispatch(X()); return nil }
            func other(action: Action, count: Int) -> String { store.dispatch(X()); return "" }
            """
        #expect(try lines(.dispatchInReducer, text) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }

    @Test func `Finds in a reducer what gives another answer each time`() throws {
        let text = """
            func reduce(action: Action, state: A?) -> A {
                var state = state ?? A()
                state.id = UUID()
                state.date = Date.now
                state.day = Date(timeIntervalSince1970: 0)
                state.luck = Int.random(in: 0..<7)
                state.dice = Int.random(in: 0..<7, using: &state.generator)
                state.list.shuffle()
                UserDefaults.standard.set(1, forKey: "a")
                calls += 1
                Counter.count = 2
                state.note = Note(text: "a")
                state.sub = sub(action: action, state: state.sub)
                state.text = "UUID()"
                return state
            }
            var calls = 0
            enum Counter { static var count = 0 }
            struct Note { let id = UUID(); let text: String }
            func sub(action: Action, state: B?) -> B { B(date: Date()) }
            """
        #expect(try lines(.impureReducer, text) == [3, 4, 6, 8, 9, 10, 11, 12, 20])
    }

    @Test func `Finds work that a reducer starts`() throws {
        let text = """
            func reduce(action: Action, state: A?) -> A {
                Task { await load() }
                DispatchQueue.global().async { load() }
                Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in }
                session.dataTask(with: url) { _, _, _ in }.resume()
                start()
                load().sink { store.dispatch(B()) }.store(in: &bag)
                return state ?? A()
            }
            func start() { Task.detached { await load() } }
            """
        #expect(try lines(.taskInReducer, text) == [2, 3, 4, 5, 6, 7])
    }

    // MARK: Threads

    @Test func `Finds dispatches in the background, but none that hops to the main thread`() throws
    {
        let text = """
            func run() {
                DispatchQueue.global(qos: .utility).async { store.dispatch(A()) }
                DispatchQueue.main.async { store.dispatch(A()) }
                session.dataTask(with: url) { data, _, _ in
                    DispatchQueue.main.async { store.dispatch(B()) }
                    store.dispatch(B())
                }
                Task.detached { store.dispatch(C()) }
                Task.detached { @MainActor in store.dispatch(C()) }
                Task { await MainActor.run { store.dispatch(D()) } }
                Task { store.dispatch(E()) }
                onMain { store.dispatch(F()) }
                aside { store.dispatch(G()) }
            }
            func onMain(_ body: @escaping () -> Void) { DispatchQueue.main.async(execute: body) }
            func aside(_ body: @escaping () -> Void) { DispatchQueue.global().async(execute: body) }
            """
        #expect(try lines(.backgroundDispatch, text) == [2, 6, 8, 11, 13])
    }

    @Test func `Knows what runs on the main actor`() throws {
        let text = """
            @MainActor final class A { func f() { Task { store.dispatch(X()) } } }
            final class B: UIViewController { func f() { Task { store.dispatch(X()) } } }
            final class C { @MainActor func f() { Task { store.dispatch(X()) } } }
            final class D { func f() { Task { store.dispatch(X()) } } }
            extension A { nonisolated func g() { Task { store.dispatch(X()) } } }
            final class E: B { func g() async { store.dispatch(X()) } }
            final class F { func f() async { store.dispatch(X()) } }
            actor G { func f() { store.dispatch(X()) } }
            actor H { @MainActor func f() { store.dispatch(X()) } }
            struct I: View { var body: some View { Text("").task { store.dispatch(X()) } } }
            final class J { func f() { Task { await A().send() } } }
            extension A { func send() { store.dispatch(X()) } }
            """
        #expect(try lines(.backgroundDispatch, text) == [4, 5, 7, 8])
    }

    @Test func `Leaves tests on their threads`() throws {
        let text = "import XCTest\nfunc f() async { store.dispatch(X()) }"
        #expect(try lines(.backgroundDispatch, text) == [])
    }

    @Test func `Finds dispatches under locks and on queues of the app`() throws {
        let text = """
            let queue = DispatchQueue(label: "a"), mainQueue = DispatchQueue.main
            func a() { queue.sync { store.dispatch(A()) } }
            func b() { queue.async(flags: .barrier) { store.dispatch(A()) } }
            func c() { mainQueue.async { store.dispatch(A()) } }
            func d() {
                lock.lock()
                store.dispatch(B())
                lock.unlock()
                store.dispatch(C())
            }
            func e() {
                lock.lock(); defer { lock.unlock() }
                if isOpen { send() }
            }
            func send() { store.dispatch(D()) }
            func f() { lock.withLock { store.dispatch(E()) } }
            func g() { guarded { store.dispatch(F()) } }
            func guarded(_ body: () -> Void) { lock.lock(); body(); lock.unlock() }
            func h() { door.lock(); store.dispatch(G()) }
            """
        #expect(try lines(.lockedDispatch, text) == [2, 3, 7, 13, 16, 17])
    }

    // MARK: States and actions

    @Test func `Finds states that are classes, and classes in states, wherever the store is made`()
        throws
    {
        let text = """
            class AppState { }
            class Other { }
            class Part { }
            struct Root { var parts: [Part?]; var kind: Kind }
            enum Kind { case one(Payload) }
            class Payload { }
            class Marked: StateType { }
            """
        let store = "let a = Store<AppState>(reducer: r, state: nil)\nvar b: Store<Root>!"
        #expect(try lines(.sharedState, text, store) == [1, 3, 6, 7])
    }

    @Test func `Finds actions that are classes, if they can change`() throws {
        let text = """
            class Load: Action { var url = "" }
            struct Save: Action { var url = "" }
            final class Fixed: Action { let url = "" }
            protocol AppAction: Action {}
            class Open: AppAction { var door = 1 }
            """
        #expect(try lines(.sharedAction, text) == [1, 5])
    }

    // MARK: What no longer compiles

    @Test func `Finds subclasses that do not restate`() throws {
        let text = """
            class AppStore: Store<AppState> {
            }
            final class Safe: Store<AppState>, @unchecked Sendable {
            }
            class Screen: UIViewController { let store: Store<AppState> }
            class Deeper: Safe {}
            """
        #expect(try lines(.subclass, text) == [1, 6])
        #expect(try lines(.subclass, "class Store<S> {}\nclass Mine: Store<Int> {}") == [])
    }

    @Test func `Finds uses of internals that are not there, and lets @testable stand`() throws {
        let text = """
            @testable import ReSwift
            @testable import MyApp
            func reset() { store.subscriptions.removeAll(); thunk.body(dispatch, get) }
            func push() { subscription.newValues(oldState: nil, newState: 1) }
            let actions: [RoutingActions] = Router<Int>.routingActionsForTransition(from: [], to: [])
            """
        #expect(try lines(.internals, text) == [4, 5])
        #expect(try lines(.internals, text.replacing("@testable ", with: "")) == [])
        let own = "extension Subscription { func newValues(oldState: Int?, newState: Int) {} }"
        #expect(try lines(.internals, text, importing: "ReSwift", own) == [5])
    }

    @Test func `Finds modules by the names that CocoaPods gives them`() throws {
        let text = """
            import ReSwift_Thunk
            @testable import ReSwift_Router
            let thunk: ReSwift_Thunk.Thunk<Int> = ReSwift_Thunk.Thunk { _, _ in }
            import ReSwiftThunk
            """
        #expect(try lines(.moduleName, text) == [1, 2, 3])
        #expect(try lines(.otherLibrary, text) == [])
    }

    @Test func `Finds files that import both modules`() throws {
        let text = "import Onward\nimport OnwardTesting\nimport protocol Onward.Part"
        #expect(try lines(.twoImports, text) == [1])
    }

    @Test func `Finds libraries that bring the original`() throws {
        let text = "import ReSwiftRecorder\nimport ReSwiftThunk\nimport ReRxSwift"
        #expect(try lines(.otherLibrary, text) == [1, 3])
        let others = "import ReSwifter\nimport ReactiveReSwift\nimport PureSwift\nimport RxReSwift"
        #expect(try lines(.otherLibrary, others) == [4])
    }

    @Test func `A module of the app's own is no other library, whatever its folder is called`()
        throws
    {
        let app = ["ReSwift_Notes", "ReSwiftNotes", "reswift_notes"]
        for name in app {
            let file = try #require(
                SourceFile("import ReSwift\nimport \(name)", path: "ReSwift-Notes/A.swift"))
            #expect(CodeBase([file]).findings(of: [.otherLibrary]) == [])
        }
        let file = try #require(
            SourceFile("import ReSwift\nimport ReSwiftKit\nimport ReSwiftSaga", path: "App/A.swift")
        )
        #expect(CodeBase([file]).findings(of: [.otherLibrary]).map(\.line) == [2, 3])
        #expect(
            CodeBase([file], modules: ["ReSwift-Kit"]).findings(of: [.otherLibrary]).map(\.line)
                == [3])
        let manifest = try #require(
            SourceFile(
                "import PackageDescription\nlet a: [Target] = [.target(name: \"ReSwiftKit\", path: \"Kit\")]",
                path: "Package.swift"))
        #expect(CodeBase([file, manifest]).findings(of: [.otherLibrary]).map(\.line) == [3])
        let tests = try #require(
            SourceFile("@testable import ReSwiftKit\nimport XCTest", path: "Tests/B.swift"))
        #expect(CodeBase([file, tests]).findings(of: [.otherLibrary]).map(\.line) == [3])
    }

    @Test func `Projects, pods and Carthage are read for modules, libraries and systems`() {
        let project = BuildFile(
            path: "ReSwift-Notes.xcodeproj/project.pbxproj",
            text: """
                productName = NotesKit;
                PRODUCT_NAME = "$(TARGET_NAME)";
                PRODUCT_MODULE_NAME = "ReSwift_Notes_App";
                IPHONEOS_DEPLOYMENT_TARGET = 13.0;
                IPHONEOS_DEPLOYMENT_TARGET = 13.0;
                MACOSX_DEPLOYMENT_TARGET = 15.1;
                repositoryURL = "https://github.com/ReSwift/ReSwift.git";
                repositoryURL = "https://github.com/a/ReSwiftly";
                """)
        #expect(project.modules == ["ReSwift-Notes", "NotesKit", "ReSwift_Notes_App"])
        #expect(
            project.findings.map { "\($0.line) \($0.rule)" } == ["7 dependency", "4 platforms"])
        let pods = BuildFile(
            path: "Podfile",
            text:
                "platform :ios, '12.0'\r\n  pod 'ReSwift', '~> 6'\r\n# pod 'ReSwift'\r\npod 'ReSwiftly'\r\npod 'ReSwiftThunk/Core'"
        )
        #expect(pods.findings.map { "\($0.line):\($0.column)" } == ["2:3", "5:1", "1:1"])
        let podspec = BuildFile(
            path: "A.podspec",
            text:
                "s.ios.deployment_target = '18.0'\ns.osx.deployment_target = '10.15'\ns.dependency 'ReSwift-Thunk'"
        )
        #expect(podspec.findings.map(\.line) == [3, 2])
        #expect(
            BuildFile(path: "Cartfile", text: "github \"ReSwift/ReSwift\"\ngithub \"a/b\"").findings
                .map(\.line) == [1])
    }

    @Test func `Finds reducers from before ReSwift 4`() throws {
        let text = """
            let all = CombinedReducer([A(), B()])
            struct A: Reducer {}
            struct C { func handleAction(action: Action, state: Int?) -> Int { 0 } }
            let d: AnyReducer
            let e: Reducer<Int> = { _, _ in 0 }
            """
        #expect(try lines(.olderReducer, text) == [1, 2, 4])
        #expect(try lines(.olderReducer, "protocol Reducer {}\nstruct A: Reducer {}") == [])
    }

    @Test func `Finds middlewares from before ReSwift 4`() throws {
        let text = """
            let a: Middleware = { dispatch, getState in { next in { action in next(action) } } }
            let b: Middleware<A> = { dispatch, getState in { next in { action in dispatch?(action) } } }
            let c: Middleware<A> = { dispatch, getState in { next in { action in dispatch(action) } } }
            func d(dispatch: DispatchFunction, getState: GetState) {}
            """
        #expect(try lines(.olderMiddleware, text) == [1, 2, 4])
    }

    @Test func `An optional dispatch function of the app's own is called with a question mark`()
        throws
    {
        let text = """
            final class Sender {
                var dispatch: DispatchFunction?
                func a() { dispatch?(A()) }
                func b() { let dispatch = self.dispatch; dispatch?(A()) }
                func c(dispatch: DispatchFunction?) { later { dispatch?(A()) } }
                let d = { (dispatch: DispatchFunction?) in dispatch?(A()) }
            }
            let e: Middleware<A> = { dispatch, getState in { next in { action in dispatch?(action) } } }
            """
        #expect(try lines(.olderMiddleware, text) == [8])
        #expect(try lines(.olderMiddleware, "typealias GetState = () -> A\nlet a: GetState") == [])
    }

    @Test func `Finds subscriptions by selectors`() throws {
        let text = """
            store.subscribe(self, selector: { $0.counter })
            store.subscribe(self) { $0.counter }
            store.subscribe(self) { state in (state.a, state.b) }
            store.subscribe(self) { $0.select { $0.counter } }
            store.subscribe(self) { $0 }
            store.subscribe(self) { $0.counting() }
            channel.subscribe(self) { $0.counter }
            store.subscribe(self) { $0.counter ?? Counter() }
            store.subscribe(self) { state in
                let count = state.counter
                return count + 1
            }
            """
        #expect(try lines(.olderSubscribe, text) == [1, 2, 3, 8, 9])
    }

    @Test func `Subscriptions may have properties of the app's own`() throws {
        let text = """
            store.subscribe(self) { $0.counter }
            store.subscribe(self) { (all) -> Subscription<Int> in all.other }
            store.subscribe(self) { $0.skipRepeats { $0.counter == $1.counter } }
            """
        let own =
            "extension Subscription { var counter: Subscription<Int> { select { $0.counter } } }"
        #expect(try lines(.olderSubscribe, text, importing: "ReSwift", own) == [])
        #expect(try lines(.olderSubscribe, text) == [1])
    }

    @Test func `Finds selectors of routers`() throws {
        let text = """
            let a = Router(store: store, rootRoutable: root, stateSelector: { $0.navigation })
            let b = Router(store: store, rootRoutable: root) { $0.select { $0.navigation } }
            """
        #expect(try lines(.olderRouter, text) == [1])
    }

    @Test func `Finds steps that no router calls, where none is told whether to animate`() throws {
        let early = """
            struct A: Routable {
                func pushRouteSegment(_ id: String, completionHandler: RoutingCompletionHandler) -> Routable { self }
                func pop() {}
            }
            """
        #expect(try lines(.olderRouter, early, importing: "ReSwiftRouter") == [2])
        let later = """
            struct B: Routable {
                func popRouteSegment(_ id: String, animated: Bool, completionHandler: @escaping RoutingCompletionHandler) {}
            }
            """
        #expect(try lines(.olderRouter, early, importing: "ReSwiftRouter", later) == [])
        #expect(
            try lines(.olderRouter, early, importing: "ReSwiftRouter", "protocol Routable {}") == []
        )
    }

    @Test func `Finds thunks by the names of early versions`() throws {
        let text = """
            func a() -> ThunkAction<Int> { ThunkAction(action: { dispatch, _ in }) }
            let b = [ThunkMiddleware()]
            let c = Thunk<Int> { dispatch, _ in }
            """
        #expect(try lines(.olderThunk, text, importing: "ReSwiftThunk") == [1, 2])
        #expect(try lines(.olderThunk, text) == [])
        let own = "struct ThunkAction<S> {}\nfunc ThunkMiddleware() {}"
        #expect(try lines(.olderThunk, text, importing: "ReSwiftThunk", own) == [])
    }

    @Test func `Finds names of the system that only the original brings along`() throws {
        #expect(try lines(.missingImport, "let a = 1\nlet b = UUID()\nlet c: URL") == [2])
        #expect(try lines(.missingImport, "let a: URL\nfinal class B: UIView {}") == [2])
        #expect(try lines(.missingImport, "import Foundation\nlet a: URL\nlet b = UIView()") == [3])
        #expect(try lines(.missingImport, "import Dispatch\nlet a = DispatchQueue.main") == [])
        // What another module brings along is not known.
        for other in ["UIKit", "Core", "CoreLocation"] {
            #expect(try lines(.missingImport, "import \(other)\nlet a: URL") == [])
        }
        let own = """
            struct A<URL> { let url: URL }
            enum Wave { struct Data {} }
            let b: [Data] = [Wave.Data()], c = UIState(), d = Name.Date, e = name.URL
            """
        #expect(try lines(.missingImport, own) == [])
    }

    @Test func `What a header of the target imports needs no import`() throws {
        let files = try ["App/A.swift", "Kit/B.swift"].map {
            try #require(SourceFile("import ReSwift\nlet a: URL\n", path: $0))
        }
        func found(_ folders: Set<String>) -> [String] {
            CodeBase(files, headerFolders: folders).findings(of: [.missingImport]).map(\.path)
        }
        #expect(found([]) == ["App/A.swift", "Kit/B.swift"])
        #expect(found(["Kit"]) == ["App/A.swift"])
        #expect(found([""]) == [])
    }

    @Test func `Finds actions as dictionaries`() throws {
        let text = "struct A: StandardActionConvertible {}\nlet b = StandardAction(type: \"b\")"
        #expect(try lines(.standardAction, text) == [1, 2])
        #expect(
            try lines(.standardAction, "struct StandardAction {}\nlet b = StandardAction()") == [])
    }

    @Test func `Finds states that are assigned`() throws {
        let text = """
            store.state = AppState()
            app.store.state.count = 1
            self.state = 1
            view.state = 2
            let state = store.state
            """
        #expect(try lines(.stateAssignment, text) == [1, 2])
    }

    @Test func `Finds subclasses that observe their state`() throws {
        let text = """
            class A: Store<Int>, @unchecked Sendable {
                override var state: Int { didSet { print(state) } }
                var other = 1
            }
            class B: Model { override var state: Int { didSet {} } }
            """
        #expect(try lines(.stateObserver, text, importing: "ReduxSwift") == [2])
    }

    @Test func `Finds names that changed`() throws {
        let text = "let a = createThunksMiddleware()\nlet b = createThunkMiddleware()"
        #expect(try lines(.renamed, text, importing: "ReSwiftThunk") == [1])
    }

    // MARK: The rest

    @Test func `Finds routing steps that never complete`() throws {
        let text = """
            struct A: Routable {
                func popRouteSegment(_ id: String, animated: Bool, completionHandler: @escaping RoutingCompletionHandler) {
                    close() // completionHandler
                }
                func pushRouteSegment(_ id: String, animated: Bool, completionHandler done: @escaping RoutingCompletionHandler) -> Routable {
                    open(completion: done)
                    return self
                }
            }
            struct Stack { func pop(completion: () -> Void) {} }
            struct B: Routable {
                func change(_ a: String, to b: String, animated: Bool, completion: @escaping RoutingCompletion) -> Routable {
                    fatalError("There is one only.")
                }
                func push(_ a: String, completion: RoutingCompletion) {}
                func pop(_ a: String, animated: Bool, completion: @escaping RoutingCompletion) {
                    if isOver { return }
                    fatalError()
                }
            }
            """
        #expect(try lines(.missingCompletion, text, importing: "ReSwiftRouter") == [2, 16])
    }

    @Test func `Finds where subscriptions of ReduxSwift stand among middlewares`() throws {
        let text = """
            let s = Store(reducer: r, state: nil, middlewares: [log, subs.middleware])
            let alone = Store(reducer: r, state: nil, middlewares: [subs.middleware])
            """
        #expect(try lines(.subscriptionsPlace, text, importing: "ReduxSwift") == [1])
    }

    @Test func `Finds what a manifest has to change`() throws {
        let text = """
            let package = Package(
                name: "A",
                platforms: [.iOS(.v13), .macOS(.v15), .tvOS("17.0"), .macOS(.v10_15)],
                dependencies: [
                    .package(url: "https://github.com/ReSwift/ReSwift.git", from: "6.0.0"),
                    .package(url: "https://github.com/a/ReSwiftly", from: "1.0.0"),
                ],
                targets: [.target(name: "A", dependencies: ["B", "ReSwift"])])
            """
        #expect(try lines(.dependency, text, importing: "PackageDescription") == [5, 8])
        #expect(try lines(.platforms, text, importing: "PackageDescription") == [3])
        #expect(
            try lines(
                .platforms, "Package(platforms: [.iOS(.v9)])", importing: "PackageDescription")
                == [])
        #expect(
            try lines(
                .platforms,
                """
                let a = Package(name: "A", dependencies: [.package(path: "../onward")])
                a.platforms = [.iOS("18.0"), .macOS("12.0")]
                """, importing: "PackageDescription") == [2])
        // What --fix leaves is still too old, or says nothing.
        let onward = "dependencies: [.package(path: \"../onward\")]"
        for (platforms, found) in [
            ("platforms: [.iOS(.v13)], ", [1]), ("platforms: [.iOS(\"18.0\")], ", []), ("", [1]),
        ] {
            #expect(
                try lines(
                    .platforms, "Package(name: \"A\", \(platforms)\(onward))",
                    importing: "PackageDescription") == found)
        }
    }

    @Test func `A package that has a module of that name itself is left alone`() throws {
        let text = """
            let package = Package(name: "ReSwift", targets: [
                .target(name: "ReSwift"), .testTarget(name: "ReSwiftTests", dependencies: ["ReSwift"]),
            ])
            """
        #expect(try lines(.dependency, text, importing: "PackageDescription") == [])
        #expect(try lines(.platforms, text, importing: "PackageDescription") == [])
    }

    @Test func `Says nothing of files that have nothing to do with these libraries`() throws {
        let text = """
            class A: Store<B> {}
            class Load: Action { var a = 1 }
            func reduce(state: Int, action: Action) -> Int { store.dispatch(A()); return Int.random(in: 1...2) }
            """
        let plain = try #require(SourceFile(text, path: "a.swift"))
        #expect(CodeBase([plain]).findings() == [])
        let onward = try #require(SourceFile("import Onward\n" + text, path: "a.swift"))
        let other = try #require(SourceFile("import ReSwift", path: "b.swift"))
        #expect(CodeBase([onward, other]).findings() == [])
    }

    @Test func `Every rule has a name of its own`() {
        #expect(Set(Rule.all.map(\.name)).count == Rule.all.count)
    }
}
