// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@Suite struct ReducingTests {
    struct Unknown: Action {}

    @Test func `a reducer is tested in one line`() {
        #expect(search.reduce(Search(), SearchAction.typed("on")).text == "on")
    }

    @Test func `several actions follow each other`() {
        let state = search.reduce(Search(), SearchAction.tick, SearchAction.tick)
        #expect(state.seconds == 2)
    }

    @Test func `no effect starts, be it of an action or of the state`() {
        let state = search.reduce(Search(), SearchAction.open(true), SearchAction.add)
        #expect(state == Search(isOpen: true))
    }

    #if Testing
    @Test func `the change of one action is expected in one line`() async {
        let line = #line + 3
        let issues = await Issues.found {
            search.expect(SearchAction.typed("on"), from: Search()) { $0.text = "on" }
            search.expect(SearchAction.typed("on"), from: Search()) { $0.text = "no" }
        }
        #expect(issues.all.map(\.line) == [line])
        #expect(issues.texts.first?.contains("-   text: \"no\",\n+   text: \"on\",\n") == true)
    }

    @Test func `an action that no reducer handles fails`() async {
        let issues = await Issues.found { _ = search.reduce(Search(), Unknown()) }
        #expect(
            issues.texts == [
                """
                ReducingTests.Unknown is handled by no reducer of the part that it is tested with. To \
                fix this, add a `Reduce` for its type, or test it with the feature that has one.
                """
            ])
    }
    #endif
}
