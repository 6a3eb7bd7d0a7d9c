// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

#if Testing
/// The features that are counted do what README.md says of them.
@Suite struct `The counted features` {
    private struct Offline: Error, CustomStringConvertible { let description = "offline" }

    @Test func `a counter counts up and down`() async {
        let store = TestStore(Counter()) { counter }
        await store.dispatch(CounterAction.increment) { $0.count = 1 }
        await store.dispatch(CounterAction.decrement) { $0.count = 0 }
        await store.finish()
    }

    @Test func `a form with six fields is sent once it is valid, and says what went wrong`() async {
        let store = TestStore(SignUp()) {
            signUp { if $0.name == "Bob" { throw Offline() } }
        }
        await store.dispatch(Send())
        await store.edit(\.name, "Bob")
        await store.edit(\.mail, "bob@example.com")
        await store.edit(\.age, 30)
        await store.edit(\.plan, .paid)
        await store.edit(\.wantsNews, true)
        await store.edit(\.note, "Hello")
        await store.dispatch(Send()) { $0.isSending = true }
        await store.receive(Sent(problem: "offline")) {
            ($0.isSending, $0.problem) = (false, "offline")
        }
        await store.edit(\.name, "Ann")
        await store.dispatch(Send()) { $0.isSending = true }
        await store.receive(Sent()) { ($0.isSending, $0.problem) = (false, nil) }
        await store.finish()
    }

    @Test func `an item is edited in its row, and as a draft with its history in a detail`() async {
        let store = TestStore(ItemList()) { itemList { ["made \($0)"] } }
        await store.dispatch(ItemListAction.add(7)) { $0.items.append(Item(id: 7)) }
        await store.dispatch(Edit<Item>(\.isDone, true), to: .row(\.items, id: 7)) {
            $0.items[id: 7]?.isDone = true
        }
        await store.dispatch(ItemListAction.open(7)) { $0.detail = $0.items[id: 7] }
        await store.receive(Loaded(history: ["made 7"])) { $0.detail?.history = ["made 7"] }
        await store.dispatch(Edit<Item>(\.title, "Milk"), to: .child(\.detail)) {
            $0.detail?.title = "Milk"
        }
        await store.dispatch(ItemListAction.save) {
            if let item = $0.detail.take() { $0.items[id: 7] = item }
        }
        await store.dispatch(ItemListAction.delete(7)) { $0.items.remove(id: 7) }
        await store.finish()
    }

    @Test func `a search waits for the typing to end, and only the last query is asked`() async {
        let store = TestStore(Search()) {
            search { query in
                if query == "no" { throw Offline() }
                return [query.uppercased()]
            }
        }
        await store.edit(\.query, "mi")
        await store.advance(by: .milliseconds(200))
        await store.edit(\.query, "milk")
        await store.advance(by: .milliseconds(300))
        await store.receive(Found(results: ["MILK"])) { $0.results = ["MILK"] }
        await store.edit(\.query, "no")
        await store.advance(by: .milliseconds(300))
        await store.receive(Found(problem: "offline")) {
            ($0.results, $0.problem) = ([], "offline")
        }
        await store.edit(\.query, "")
        await store.finish()
    }
}
#endif
