// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import OnwardCommand

@Suite("Rule")
struct RuleTests {
    /// The lines of a file in which a rule finds something.
    private func lines(
        _ name: Rule.Name, _ text: String, _ others: String...
    ) -> [Int] {
        let sources = ([text] + others).enumerated().map { index, text in
            SourceText("import ReSwift\n" + text, path: "\(index).swift")
        }
        return CodeBase(sources).findings().filter { $0.rule == name && $0.path == "0.swift" }
            .map { $0.line - 1 }
    }

    @Test func `Finds dispatches in newState, and only there`() {
        let text = """
            func newState(state: AppState) {
                // store.dispatch(Comment())
                label.text = "store.dispatch(Text())"
                if state.isOver { store.dispatch(Next()) }
            }
            func tap() { store.dispatch(Tap()) }
            """
        #expect(lines(.dispatchInNewState, text) == [4])
    }

    @Test func `Finds dispatches in reducers`() {
        let text = """
            func appReducer(action: Action, state: AppState?) -> AppState {
                store.dispatch(Next())
                return state ?? AppState()
            }
            func other(_ action: any Action, state: Int?) -> Int { queue.dispatch { } }
            func create(state: AppState, store: Store<AppState>) -> Action? {
                store.dispatch(Next())
            }
            """
        #expect(lines(.dispatchInReducer, text) == [2, 5])
    }

    @Test func `Finds subclasses that do not restate`() {
        let text = """
            class AppStore: Store<AppState> {
            }
            final class Safe: Store<AppState>, @unchecked Sendable {
            }
            class Screen: UIViewController { let store: Store<AppState> }
            """
        #expect(lines(.subclass, text) == [1])
    }

    @Test func `Finds uses of internals`() {
        #expect(lines(.internals, "@testable import ReSwift\n@testable import MyApp") == [1])
    }

    @Test func `Finds files that import both modules`() {
        #expect(lines(.twoImports, "import Onward\nimport OnwardTesting") == [1])
    }

    @Test func `Finds extensions of StateType`() {
        #expect(lines(.stateType, "struct A: StateType {}\nextension StateType {}") == [2])
    }

    @Test func `Finds reducers of before ReSwift 4`() {
        #expect(lines(.olderReducer, "let all = CombinedReducer([A(), B()])") == [1])
    }

    @Test func `Finds comparisons of one's own, not those by equality`() {
        let text = """
            $0.select(\\.a).skipRepeats()
            $0.select(\\.a).skipRepeats { $0.id == $1.id }
            $0.select(\\.a).skipRepeats(isSame)
            """
        #expect(lines(.ownComparison, text) == [2, 3])
    }

    @Test func `Finds filters`() {
        let text = """
            $0.skip(when: ==)
            $0.only { $1.isOpen }
            list.skip(3)
            """
        #expect(lines(.filter, text) == [1, 2])
    }

    @Test func `Finds dispatches in the background`() {
        let text = """
            DispatchQueue.global(qos: .utility).async { store.dispatch(A()) }
            DispatchQueue.main.async { store.dispatch(A()) }
            session.dataTask(with: url) { data, _, _ in
                store.dispatch(B())
            }
            Task.detached { store.dispatch(C()) }
            """
        #expect(lines(.backgroundDispatch, text) == [1, 4, 6])
    }

    @Test func `Finds dispatches under locks`() {
        let text = """
            queue.sync { store.dispatch(A()) }
            lock.lock()
            store.dispatch(B())
            lock.unlock()
            store.dispatch(C())
            """
        #expect(lines(.lockedDispatch, text) == [1, 3])
    }

    @Test func `Finds states that are classes, wherever the store is made`() {
        let text = """
            class AppState { }
            class Other { }
            """
        #expect(
            lines(.sharedState, text, "let store = Store<AppState>(reducer: r, state: nil)") == [1])
    }

    @Test func `Finds actions that are classes`() {
        #expect(lines(.sharedAction, "class Load: Action { }\nstruct Save: Action { }") == [1])
    }

    @Test func `Finds routing steps that never complete`() {
        let text = """
            func popRouteSegment(_ id: String, animated: Bool, completionHandler: @escaping RoutingCompletionHandler) {
                close()
            }
            func pushRouteSegment(_ id: String, animated: Bool, completionHandler done: @escaping RoutingCompletionHandler) -> Routable {
                open(completion: done)
                return self
            }
            """
        #expect(lines(.missingCompletion, text) == [1])
    }

    @Test func `Finds where subscriptions of ReduxSwift stand among middlewares`() {
        let source = SourceText(
            "import ReduxSwift\nlet s = Store(reducer: r, state: nil, middlewares: [subs.middleware])",
            path: "a.swift")
        let found = CodeBase([source]).findings()
        #expect(found.map(\.rule) == [.subscriptionsPlace])
        #expect(found.map(\.line) == [2])
    }

    @Test func `Says nothing of files that have nothing to do with these libraries`() {
        let source = SourceText(
            "class A: Store<B> {}\nclass Load: Action {}\n$0.skip(when: x)", path: "a.swift")
        #expect(CodeBase([source]).findings() == [])
    }

    @Test func `A finding reads like a compiler's, and doubtful ones say so`() {
        let source = SourceText(
            "import ReSwift\nextension StateType {}\nclass Load: Action {}", path: "Sources/A.swift"
        )
        let texts = CodeBase([source]).findings().map(\.text)
        #expect(texts.count == 2)
        #expect(texts[0].hasPrefix("Sources/A.swift:2: differs: StateType is another name"))
        #expect(texts[0].hasSuffix(" [state-type]"))
        #expect(texts[1].hasPrefix("Sources/A.swift:3: look here: "))
    }

    @Test func `Every rule has a name of its own, and every name a rule`() {
        #expect(Rule.all.count == Rule.Name.allCases.count)
        #expect(Set(Rule.all.map(\.name)).count == Rule.Name.allCases.count)
    }

    @Test func `Every rule is explained in a guide`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../..").standardizedFileURL
        let guides = try ["ReSwift", "ReduxSwift"].map { name in
            try String(
                contentsOf: root.appendingPathComponent("Documentation/MigratingFrom\(name).md"),
                encoding: .utf8)
        }.joined()
        for name in Rule.Name.allCases { #expect(guides.contains("`\(name.rawValue)`")) }
    }
}
