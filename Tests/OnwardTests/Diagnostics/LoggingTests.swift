// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import TestSupport

@Suite struct LoggingTests {
    struct Account: Equatable, Sendable {
        var name = ""
        @Redacted var password = ""
        var tries: [Int] = []
    }

    enum LoginAction: Action {
        case entered(name: String, password: Redacted<String>)
        case left
    }

    struct App: Equatable, Sendable {
        var account = Account()
        var editor: Counter?
    }

    static func makeStore(changes: Bool, _ lines: Log<String>) -> Store<App> {
        let clock = ManualClock()
        return Store(App(), options: StoreOptions(clock: clock)) {
            ActionLogger(changes: changes) { lines.append($0) }
            Scope(\.editor, counter)
            Reduce { (app: inout App, action: LoginAction) in
                clock.advance(by: .microseconds(42))
                switch action {
                case .entered(let name, let password):
                    app.account.name = name
                    app.account.password = password.wrappedValue
                    app.account.tries.append(1)
                case .left: break
                }
            }
        }
    }

    @Test
    func `writes a line per action: what, what became of it, how long it took`() {
        let lines = Log<String>()
        let store = Self.makeStore(changes: false, lines)
        store.dispatch(LoginAction.left)
        store.scoped(to: \.editor).dispatch(CounterAction.add(2))
        #expect(
            lines.all == [
                "LoggingTests.LoginAction/left → version 1 in 42 µs",
                "CounterAction/add(2) at editor refused: absent in 0 ns",
            ])
    }

    @Test
    func `says what changed on demand, and never shows a redacted field`() {
        let lines = Log<String>()
        let store = Self.makeStore(changes: true, lines)
        store.dispatch(LoginAction.entered(name: "Ada", password: Redacted("secret")))
        store.dispatch(LoginAction.left)
        #expect(
            lines.all == [
                """
                LoggingTests.LoginAction/entered(name: "Ada", password: ‹redacted›) → version 1 in \
                42 µs; account.name:  → Ada, account.password: ‹redacted› → ‹redacted›, account.tries: \
                0 elements → 1 element
                """,
                "LoggingTests.LoginAction/left → version 2 in 42 µs; nothing changed",
            ])
        #expect(!lines.all.joined().contains("secret"))
    }

    @Test func `names what changed inside an optional as code does`() {
        let lines = Log<String>()
        let store = Store(Bank(editor: Counter())) {
            ActionLogger(changes: true) { lines.append($0) }
            Scope(\.editor, counter)
        }
        store.scoped(to: \.editor).dispatch(CounterAction.add(2))
        #expect(lines.all.first?.hasSuffix("; editor.count: 0 → 2") == true)
    }

    @Test func `compares sets without their order, and shows nothing of what becomes redacted`() {
        struct Box: Sendable {
            var numbers: Set<Int> = []
            var pair = (1, 2)
            var any: any Sendable = [1]
        }
        struct Fill: Action {}
        let lines = Log<String>()
        let store = Store(Box(numbers: Set(0..<100))) {
            ActionLogger(changes: true) { lines.append($0) }
            Reduce { (box: inout Box, _: Fill) in
                var other = Set<Int>(minimumCapacity: 4_000)
                for number in (0..<100).reversed() { other.insert(number) }
                box.numbers = other
                box.pair.1 += 1
                box.any = Redacted(["secret"])
            }
        }
        store.dispatch(Fill())
        #expect(lines.all.first?.hasSuffix("; pair.1: 2 → 3, any: [1] → ‹redacted›") == true)
    }

    @Test func `writes the line of an answer after that of the action`() {
        let lines = Log<String>()
        let clock = ManualClock()
        let store = Store(Counter(), options: StoreOptions(clock: clock)) {
            ActionLogger { lines.append($0) }
            counter
        }
        let token = store.subscribe(\.count) { _, new in
            if new == 1 { store.dispatch(CounterAction.add(5)) }
        }
        store.dispatch(CounterAction.add(1))
        #expect(
            lines.all == [
                "CounterAction/add(1) → version 1 in 0 ns",
                "CounterAction/add(5) → version 2 in 0 ns",
            ])
        withExtendedLifetime(token) {}
    }
}
