// SPDX-License-Identifier: MIT

import Onward
import Synchronization
import Testing

@Suite struct Promise10MisuseTests {
    /// A store whose reducer dispatches to itself.
    static func selfDispatching(_ options: StoreOptions) -> (Store<Int>, Log<DispatchResult>) {
        let held = Mutex<Store<Int>?>(nil)
        let results = Log<DispatchResult>()
        let store = Store(0, options: options) {
            Reduce { (count: inout Int, action: CounterAction) in
                count += 1
                if case .increment = action, let store = held.withLock({ $0 }) {
                    results.append(
                        store.dispatch(CounterAction.add(1), file: "App/Game.swift", line: 7))
                }
            }
        }
        held.withLock { $0 = store }
        return (store, results)
    }

    @Test
    func `Misuse teaches: dispatching from inside a reducer`() {
        let mistakes = Mistakes()
        let (store, results) = Self.selfDispatching(mistakes.options())
        #expect(store.dispatch(CounterAction.increment) == .accepted(1))
        #expect(results.all == [.refused(.insideReducer)])
        #expect(store.state == 1)
        #expect(
            mistakes.all.map(\.description) == [
                """
                CounterAction/add was dispatched from inside a reducer, at App/Game.swift:7. A \
                reducer is a pure function: it runs under the store's lock and its only result is \
                the state it leaves. The action was refused. To fix this, change the state directly \
                in the reducer, or dispatch from an effect or a middleware that reacts to the first \
                action.
                """
            ])
    }

    @Test
    func `Misuse teaches: dispatching from inside a reducer with middleware in the store`() {
        let mistakes = Mistakes()
        let held = Mutex<Store<Int>?>(nil)
        let store = Store(0, options: mistakes.options()) {
            Intercept<Int> { _, _ in nil }
            Reduce { (count: inout Int, action: CounterAction) in
                count += 1
                if case .increment = action {
                    held.withLock { $0 }?.dispatch(CounterAction.add(1))
                }
            }
        }
        held.withLock { $0 = store }
        store.dispatch(CounterAction.increment)
        #expect(mistakes.kinds == [.dispatchInsideReducer])
        #expect(store.state == 1)
    }

    @Test
    func
        `Misuse teaches: reading the store from inside a reducer is reported, then stops the program`()
        async
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let held = Mutex<Store<Int>?>(nil)
            let options = StoreOptions(misuse: MisuseHandler { _ in })
            let store = Store(0, options: options) {
                Reduce { (count: inout Int, _: CounterAction) in
                    count = held.withLock { $0 }?.state ?? 0
                }
            }
            held.withLock { $0 = store }
            store.dispatch(CounterAction.increment)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                The store of Int was read from inside one of its reducers. The state is being \
                changed at that moment, so there is no whole value to read. To fix this, use the \
                `inout` state that the reducer was given; if the reducer needs another slice, \
                register it in a feature of the state that holds both.
                """))
    }

    @Test(arguments: ["version", "absences", "actions", "replay", "snapshot"])
    func `Misuse teaches: no property of the store is read inside a reducer, none hangs`(
        _ name: String
    ) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name] in
            let held = Mutex<Store<Int>?>(nil)
            let options = StoreOptions(misuse: MisuseHandler { _ in })
            let store = Store(0, options: options) {
                Reduce { (count: inout Int, _: CounterAction) in
                    guard let store = held.withLock({ $0 }) else { return }
                    switch name {
                    case "version": count = Int(store.version)
                    case "absences": count = Int(store.absences)
                    case "actions": count = store.actions.names.count
                    case "replay": count = store.replay([], from: 0)
                    default: count = Int(store.snapshot.version)
                    }
                }
            }
            held.withLock { $0 = store }
            store.dispatch(CounterAction.increment)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("The store of Int was read from inside one of its reducers."))
    }

    @Test
    func `Misuse teaches: the standard handler stops a debug build with the text`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            Store(0) {}.dispatch(CounterAction.increment)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("CounterAction/increment was dispatched at"))
    }

    @Test
    func `Misuse teaches: an action nobody handles`() {
        let mistakes = Mistakes()
        let store = Store(Bank(), options: mistakes.options()) { bank }
        #expect(
            store.dispatch(OtherAction(), file: "App/Game.swift", line: 9) == .refused(.unhandled))
        #expect(store.version == 0)
        #expect(
            mistakes.all.map(\.description) == [
                """
                OtherAction was dispatched at App/Game.swift:9, but no feature of the store handles \
                it, so it changes nothing. The store handles: BankAction. To fix this, add a \
                `Reduce` for its type to a feature, scope the feature that has one into the store, \
                or correct the address.
                """
            ])
    }

    @Test
    func `Misuse teaches: an address at which nobody handles the action`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options())
        #expect(store.scoped(to: \.other).dispatch(CounterAction.increment) == .refused(.unhandled))
        #expect(
            mistakes.all.first?.description.hasPrefix(
                "CounterAction/increment addressed to \"other\" was dispatched at ") == true)
    }

    @Test
    func `Misuse teaches: two features claiming one action name`() {
        struct First: Action { static var actionName: String { "Same" } }
        struct Second: Action { static var actionName: String { "Same" } }
        let mistakes = Mistakes()
        let store = Store(0, options: mistakes.options()) {
            Reduce { (count: inout Int, _: First) in count += 1 }
            Reduce { (count: inout Int, _: Second) in count += 10 }
        }
        #expect(mistakes.kinds == [.nameClash])
        let text = mistakes.all.first?.description ?? ""
        #expect(text.hasPrefix("Two action types claim the name \"Same\": "))
        #expect(text.contains("First and ") && text.contains("Second. Journals and"))
        #expect(text.hasSuffix("To fix this, give one of them another `static var actionName`."))
        #expect(store.actions.type(named: "Same") == First.self)
        store.dispatch(Second())
        #expect(store.state == 10)
    }

    @Test
    func `Misuse teaches: a scope of a computed property without a name`() {
        let mistakes = Mistakes()
        let double = Feature<Int> { Reduce { (n: inout Int, _: CounterAction) in n += 2 } }
        _ = Store(Bank(), options: mistakes.options()) { Scope(\.doubled, double) }
        #expect(mistakes.kinds == [.unnamedScope])
        #expect(mistakes.all.first?.description.contains("Scope(path, name: \"settings\"") == true)
        let named = Mistakes()
        let store = Store(Bank(), options: named.options()) {
            Scope(\.doubled, name: "doubled", double)
        }
        store.dispatch(CounterAction.increment)
        #expect(named.all.isEmpty)
        #expect(store.state.balance == 1)
    }

    @Test
    func `Reaching an absent optional slice or row is no misuse: no commit, counted`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options())
        let editor = store.scoped(to: \.editor)
        #expect(editor.dispatch(CounterAction.increment) == .refused(.absent))
        let row = store.scoped(to: \.rows, id: 1)
        #expect(row.dispatch(CounterAction.increment) == .refused(.absent))
        #expect(store.version == 0)
        #expect(store.absences == 2)
        #expect(mistakes.all.isEmpty)
    }
}
