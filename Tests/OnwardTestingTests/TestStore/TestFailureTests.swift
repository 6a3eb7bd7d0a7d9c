// SPDX-License-Identifier: MIT

#if Testing
import Onward
import OnwardTesting
import Testing

/// What a failing test says, and at which line.
@Suite struct TestFailureTests {
    /// The text of the one issue of a test that ends early.
    private func issue(
        of test: (TestStore<Search>) async -> Void, ending strictness: Strictness = .partial,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> String {
        let issues = await Issues.found {
            let store = TestStore(Search(), timeout: .milliseconds(200)) { search }
            await test(store)
            await store.finish(strictness)
        }
        #expect(issues.all.count == 1, "\(issues.texts)", sourceLocation: sourceLocation)
        return issues.texts.first ?? ""
    }

    @Test func `another change is shown as a difference`() async {
        let text = await issue { store in
            await store.dispatch(SearchAction.typed("on")) { $0.text = "no" }
        }
        #expect(
            text == """
                SearchAction/typed changed the state otherwise than expected:

                  Search(
                -   text: "no",
                +   text: "on",
                    books: [],
                    isLoading: false,
                    ids: [],
                    seconds: 0,
                    isOpen: false
                  )

                (Expected: -, actual: +)
                """)
    }

    @Test func `a change that was not stated is shown, and how to state it`() async {
        let text = await issue { await $0.dispatch(SearchAction.typed("on")) }
        #expect(
            text.hasPrefix("SearchAction/typed changed the state, but no change was expected:\n"))
        #expect(text.contains("-   text: \"\",\n+   text: \"on\",\n"))
        #expect(
            text.hasSuffix(
                "To expect a change, state it in a closure: { $0.property = value }."))
    }

    @Test func `a stated change that does not happen is shown`() async {
        let text = await issue { store in
            await store.dispatch(SearchAction.tick) { $0.seconds = 5 }
        }
        #expect(text.contains("-   seconds: 5,\n+   seconds: 1,\n"))
    }

    @Test func `a partial expectation that adds to the state is explained`() async {
        let text = await issue { store in
            await store.dispatch(SearchAction.tick, .partial) { $0.seconds += 1 }
        }
        #expect(text.contains("-   seconds: 2,\n+   seconds: 1,\n"))
        #expect(text.hasSuffix("{ $0.count = 2 }, not { $0.count += 1 }."))
    }

    @Test func `an error in the closure is notified`() async {
        struct Slip: Error {}
        let text = await issue { store in
            await store.dispatch(SearchAction.tick) { _ in throw Slip() }
        }
        #expect(
            text == "The closure that states what SearchAction/tick changes threw an error: Slip()")
    }

    @Test func `an action that no reducer handles there is reported as the programmer error it is`()
        async
    {
        let text = await issue { store in
            guard let address = Address("left") else { return }
            await store.dispatch(SearchAction.tick, to: address)
        }
        #expect(text.hasPrefix("SearchAction/tick addressed to \"left\" was dispatched at"))
        #expect(text.contains("but no feature there handles it"))
    }

    @Test func `an action after the end is refused`() async {
        let text = await issue { store in
            await store.finish()
            await store.dispatch(SearchAction.tick)
        }
        #expect(
            text == """
                SearchAction.tick was refused, as the store was shut down by finish(), so it changed \
                nothing. If that is what should happen, dispatch it to `live` and compare the \
                result: #expect(store.live.dispatch(…) == .refused(.shutDown)).
                """)
    }

    @Test func `another action than the expected one is shown as a difference`() async {
        let text = await issue { store in
            await store.dispatch(SearchAction.typed("on")) { $0.text = "on" }
            await store.advance(by: .seconds(2))
            await store.receive(SearchAction.started) { $0.isLoading = true }
            await store.receive(SearchAction.found(["off"]))
        }
        #expect(
            text == """
                The next action is not the expected one:

                  SearchAction.found(
                    [
                -     [0]: "off"
                +     [0]: "on"
                    ]
                  )

                (Expected: -, received: +, dispatched at OnwardTestingTests/Search.swift:49)
                """)
    }

    @Test func `an action that does not match the pattern is shown`() async {
        let text = await issue { store in
            await store.dispatch(SearchAction.add)
            await store.receive(where: \SearchAction.isFound)
        }
        #expect(
            text == """
                The next action is not the expected one. Expected:

                 • a matching SearchAction

                Received:

                 • SearchAction.added(UniqueID("00000000-0000-4000-8000-000000000001")), dispatched \
                at OnwardTestingTests/Search.swift:52
                """)
    }

    @Test func `an action of another instance is not the expected one`() async throws {
        struct Two: Equatable, Sendable { var left = Search(), right = Search() }
        let left = try #require(Address("left"))
        let right = try #require(Address("right"))
        let issues = await Issues.found {
            let store = TestStore(Two()) {
                Scope(\.left, search)
                Scope(\.right, search)
            }
            await store.dispatch(SearchAction.add, to: right)
            await store.receive(SearchAction.self, at: left)
            await store.finish()
        }
        #expect(
            issues.texts == [
                """
                The next action is not the expected one. Expected:

                 • any SearchAction at "left"

                Received:

                 • SearchAction.added(UniqueID("00000000-0000-4000-8000-000000000001")) at "right", \
                dispatched at OnwardTestingTests/Search.swift:52
                """
            ])
    }

    @Test func `of an action that waits for time, the test is asked to advance the clock`() async {
        let text = await issue { store in
            await store.dispatch(SearchAction.typed("on")) { $0.text = "on" }
            await store.receive(SearchAction.started)
        }
        #expect(
            text == """
                An expected action did not come within 0.2 seconds of real time:

                 • SearchAction.started

                These effects are there:

                 • The effect "search" at OnwardTestingTests/Search.swift:46, started by \
                SearchAction/typed, version 1, waits for its debounce or throttle

                The manual clock: It stands at 0.0 seconds; 1 task sleeps on it, until 0.3 seconds. \
                If the action comes with time, advance the clock before: await store.advance(by: …). \
                If it comes from outside, let the test answer there.
                """)
    }

    @Test func `of an action that nothing can send, the test is notified of what was passed over`()
        async
    {
        let text = await issue { store in
            await store.dispatch(SearchAction.add)
            await store.receive(SearchAction.failed, .partial)
        }
        #expect(
            text == """
                An expected action did not come:

                 • SearchAction.failed

                These came, and were passed over:

                 • SearchAction.added(UniqueID("00000000-0000-4000-8000-000000000001")), dispatched \
                at OnwardTestingTests/Search.swift:52

                No effect is there that could dispatch it.
                """)
    }

    @Test func `what was not received is listed before the next step`() async {
        let text = await issue { store in
            await store.dispatch(SearchAction.add)
            await store.dispatch(SearchAction.tick) { $0.seconds = 1 }
        }
        #expect(
            text == """
                1 action was not received before SearchAction/tick:

                 • SearchAction.added(UniqueID("00000000-0000-4000-8000-000000000001")), dispatched \
                at OnwardTestingTests/Search.swift:52

                Every action that an effect, a middleware or a subscriber dispatches has to be \
                received: await store.receive(…). To pass over some, receive a later one with \
                .partial, or end with finish(.partial).
                """)
    }

    @Test func `what was not received is listed at the end`() async {
        let text = await issue(of: { await $0.dispatch(SearchAction.add) }, ending: .exhaustive)
        #expect(text.hasPrefix("1 action was not received before the end of the test:\n"))
    }

    @Test func `an effect that has not ended is listed at the end`() async {
        let text = await issue(
            of: { await $0.dispatch(SearchAction.typed("on")) { $0.text = "on" } },
            ending: .exhaustive)
        #expect(
            text == """
                1 effect has not ended at the end of the test:

                 • The effect "search" at OnwardTestingTests/Search.swift:46, started by \
                SearchAction/typed, version 1, waits for its debounce or throttle

                The manual clock: It stands at 0.0 seconds; 1 task sleeps on it, until 0.3 seconds. \
                To fix this, let them end: advance the clock, dispatch what cancels them, or let the \
                test answer for the outside world. To cancel them instead, end with \
                finish(.partial).
                """)
    }

    @Test func `a store that is released without an end reports what is open, where it was made`()
        async
    {
        let line = #line + 2
        let issues = await Issues.found {
            let store = TestStore(Search()) { search }
            await store.dispatch(SearchAction.add)
            await store.dispatch(SearchAction.typed("on"), .partial)
        }
        #expect(issues.all.map(\.line) == [line])
        #expect(
            issues.texts.first == """
                The test let go of its TestStore without ending it.

                These actions were not received:

                 • SearchAction.added(UniqueID("00000000-0000-4000-8000-000000000001")), dispatched \
                at OnwardTestingTests/Search.swift:52

                These effects have not ended:

                 • The effect "search" at OnwardTestingTests/Search.swift:46, started by \
                SearchAction/typed, version 3, waits for its debounce or throttle

                To fix this, receive them, and end the test with: await store.finish().
                """)
    }

    @Test func `each failure is at the line of its assertion`() async {
        let line = #line + 3
        let issues = await Issues.found {
            let store = TestStore(Search()) { search }
            await store.dispatch(SearchAction.tick)
            await store.dispatch(SearchAction.add)
            await store.receive(SearchAction.tick)
            await store.dispatch(SearchAction.add)
            await store.finish()
        }
        #expect(issues.all.map(\.line) == [line, line + 2, line + 4])
    }
}
#endif
