// SPDX-License-Identifier: MIT

#if Testing
import Onward
import OnwardTesting
import Testing

@Suite struct TestStoreTests {
    @Test
    func `an app is tested step by step, without sleeping`() async {
        let store = TestStore(Search()) { search }
        await store.dispatch(SearchAction.typed("o")) { $0.text = "o" }
        await store.advance(by: .milliseconds(200))
        await store.dispatch(SearchAction.typed("on")) { $0.text = "on" }
        await store.advance(by: .milliseconds(300))
        await store.receive(SearchAction.started) { $0.isLoading = true }
        await store.advance(by: .seconds(1))
        await store.receive(SearchAction.found(["on"])) {
            $0.books = ["on"]
            $0.isLoading = false
        }
        await store.finish()
    }

    @Test
    func `what ticks every second ticks ten times in ten seconds`() async {
        let store = TestStore(Search()) { search }
        await store.dispatch(SearchAction.open(true)) { $0.isOpen = true }
        await store.advance(by: .seconds(10))
        for second in 1...10 { await store.receive(SearchAction.tick) { $0.seconds = second } }
        await store.finish()
    }
}
#endif
