// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import TestSupport

@Suite(.bothWays) struct Promise10ProgrammerErrorTests {
    /// A store whose reducer dispatches to itself.
    static func selfDispatching(_ options: StoreOptions) -> (Store<Int>, Log<DispatchResult>) {
        let held = Guarded<Store<Int>?>(nil)
        let results = Log<DispatchResult>()
        let store = Store(0, options: options) {
            Reduce { (count: inout Int, action: CounterAction) in
                count += 1
                if case .increment = action, let store = held.withValue({ $0 }) {
                    results.append(
                        store.dispatch(CounterAction.add(1), file: "App/Game.swift", line: 7))
                }
            }
        }
        held.withValue { $0 = store }
        return (store, results)
    }

    @Test
    func `Programmer errors teach: dispatching from inside a reducer`() {
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
    func `Programmer errors teach: dispatching from inside a reducer with middleware in the store`()
    {
        let mistakes = Mistakes()
        let held = Guarded<Store<Int>?>(nil)
        let store = Store(0, options: mistakes.options()) {
            ClosureMiddleware<Int> { _, _ in nil }
            Reduce { (count: inout Int, action: CounterAction) in
                count += 1
                if case .increment = action {
                    held.withValue { $0 }?.dispatch(CounterAction.add(1))
                }
            }
        }
        held.withValue { $0 = store }
        store.dispatch(CounterAction.increment)
        #expect(mistakes.kinds == [.dispatchInsideReducer])
        #expect(store.state == 1)
    }

    @Test
    func
        `Programmer errors teach: reading the store from inside a reducer is reported, then stops the program`()
        async
    {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            let held = Guarded<Store<Int>?>(nil)
            let options = StoreOptions(onProgrammerError: { _ in })
            let store = Store(0, options: options) {
                Reduce { (count: inout Int, _: CounterAction) in
                    count = held.withValue { $0 }?.state ?? 0
                }
            }
            held.withValue { $0 = store }
            store.dispatch(CounterAction.increment)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                """
                The store of Int was read from inside one of its reducers. The state is being \
                changed at that moment, so there is no whole value to read. To fix this, use the \
                `inout` state that the reducer was given; if the reducer needs another slice, \
                register it in a feature of the state that holds both. What an object's `deinit` \
                does while a reducer replaces it counts as done by the reducer: let a task do it.
                """))
    }

    private static let uses: [String: @Sendable (Store<Int>) -> Void] = [
        "subscribed to": { $0.subscribe(\.self) { _, _ in }.cancel() },
        "asked for a batch": { $0.batch {} },
        "given an observer or a gate": { _ = $0.log.attach(gate: AcceptAll<Int>()) },
        "given other features": { $0.log.replaceFeatures {} },
    ]

    @Test(arguments: uses.keys.sorted())
    func `Programmer errors teach: what is done to a store inside its reducer is named`(use: String)
    {
        let held = Guarded<Store<Int>?>(nil)
        let mistakes = Mistakes()
        let store = Store(0, options: mistakes.options()) {
            Reduce { (_: inout Int, _: CounterAction) in
                if let store = held.withValue({ $0 }) { Self.uses[use]?(store) }
            }
        }
        held.withValue { $0 = store }
        store.dispatch(CounterAction.increment)
        held.withValue { $0 = nil }
        #expect(mistakes.kinds.allSatisfy { $0 == .readInsideReducer })
        let text = mistakes.all.first?.description ?? ""
        #expect(text.contains("The store of Int was \(use) from inside one of its reducers."))
    }

    /// An object in a state that does something when a reducer replaces it.
    private struct Shown: Sendable {
        var count = 0
        var parting: Parting?
    }

    @Test
    func `Programmer errors teach: an object that goes in a reducer can use what needs no state`() {
        let mistakes = Mistakes()
        let held = Guarded<Store<Shown>?>(nil)
        let outcomes = Log<String>()
        let notified = Log<Int>()
        let store = Store(Shown(), options: mistakes.options()) {
            Reduce { (shown: inout Shown, _: CounterAction) in
                shown.parting = nil
                shown.count += 1
            }
        }
        let token = store.subscribe(\.count) { _, new in notified.append(new) }
        func act(_ body: @escaping @Sendable (Store<Shown>) -> String) -> Store<Shown> {
            let state = Shown(
                parting: Parting {
                    if let store = held.withValue({ $0 }) { outcomes.append(body(store)) }
                })
            return Store(state, options: mistakes.options()) {
                Reduce { (shown: inout Shown, _: CounterAction) in
                    shown.parting = nil
                    shown.count += 1
                }
            }
        }
        let uses: [@Sendable (Store<Shown>) -> String] = [
            { "version \($0.version)" },
            { "absences \($0.diagnostics.absences)" },
            { "actions \($0.log.actions.names.count)" },
            { store in
                let result = store.dispatch(CounterAction.increment, isolation: nil)
                return "dispatch \(result == .refused(.insideReducer))"
            },
            { store in
                store.subscribe(\.count, initially: true, isolation: nil) { _, _ in
                    outcomes.append("called")
                }.cancel()
                return "subscribe"
            },
            { store in
                store.batch(isolation: nil) {}
                return "batch"
            },
            { store in
                store.log.replaceFeatures {}
                return "replaceFeatures"
            },
        ]
        for use in uses {
            let store = act(use)
            held.withValue { $0 = store }
            store.dispatch(CounterAction.increment)
            #expect(store.state.count == 1)
            held.withValue { $0 = nil }
        }
        #expect(
            outcomes.all == [
                "version 0", "absences 0", "actions 1", "dispatch true",
                "subscribe", "batch", "replaceFeatures",
            ])
        #expect(mistakes.kinds.count == uses.count)
        store.dispatch(CounterAction.increment)
        #expect(notified.all == [1])
        token.cancel()
    }

    @Test
    func
        `Programmer errors teach: an object that goes in a reducer may cancel, and leave it to a task`()
        async
    {
        let held = Guarded<Store<Shown>?>(nil)
        let token = Guarded<Subscription?>(nil)
        let notified = Log<Int>()
        let parting = Parting {
            token.withValue { $0 }?.cancel()
            guard let store = held.withValue({ $0 }) else { return }
            Task { store.dispatch(CounterAction.add(5)) }
        }
        let store = Store(Shown(parting: parting)) {
            Reduce { (shown: inout Shown, action: CounterAction) in
                shown.parting = nil
                if case .add(let amount) = action { shown.count += amount }
            }
        }
        do { _ = consume parting }
        held.withValue { $0 = store }
        token.withValue { $0 = store.subscribe(\.count) { _, new in notified.append(new) } }
        store.dispatch(CounterAction.increment)
        _ = try? await store.wait { $0.count == 5 }
        #expect(store.state.count == 5)
        #expect(notified.all.isEmpty)
        held.withValue { $0 = nil }
    }

    @Test(arguments: ["snapshot", "state", "tracked"])
    func `Programmer errors teach: the state is not read inside a reducer, and nothing hangs`(
        _ name: String
    ) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        { [name] in
            let held = Guarded<Store<Int>?>(nil)
            let options = StoreOptions(onProgrammerError: { _ in })
            let store = Store(0, options: options) {
                Reduce { (count: inout Int, _: CounterAction) in
                    guard let store = held.withValue({ $0 }) else { return }
                    switch name {
                    case "state": count = store.state
                    case "tracked": count = store[\.self]
                    default: count = Int(store.log.snapshot.version)
                    }
                }
            }
            held.withValue { $0 = store }
            store.dispatch(CounterAction.increment)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("The store of Int was read from inside one of its reducers."))
    }

    @Test
    func `Programmer errors teach: the standard handler stops a debug build with the text`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent])
        {
            Store(0) {}.dispatch(CounterAction.increment)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("CounterAction/increment was dispatched at"))
    }

    @Test
    func `Programmer errors teach: an action that no reducer handles`() {
        let mistakes = Mistakes()
        let store = Store(Bank(), options: mistakes.options()) { bank }
        #expect(
            store.dispatch(OtherAction(), file: "App/Game.swift", line: 9) == .refused(.unhandled))
        #expect(store.log.version == 0)
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
    func `Programmer errors teach: an address at which no reducer handles the action`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options())
        #expect(store.scoped(to: \.other).dispatch(CounterAction.increment) == .refused(.unhandled))
        #expect(
            mistakes.all.first?.description.hasPrefix(
                "CounterAction/increment addressed to \"other\" was dispatched at ") == true)
        #expect(
            mistakes.all.first?.description.hasSuffix(
                """
                , but no feature there handles it, so it changes nothing. Actions of its type are \
                handled at: "left", "right", "editor", "rows/#". To fix this, dispatch it \
                through the store that is scoped to one of these, or scope the feature that handles it \
                into this one.
                """) == true)
    }

    @Test
    func `Programmer errors teach: two features claiming one action name`() {
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
        #expect(store.log.actions.type(named: "Same") == First.self)
        store.dispatch(Second())
        #expect(store.state == 10)
    }

    @Test
    func `Programmer errors teach: a scope of a computed property without a name`() {
        let mistakes = Mistakes()
        let double = Feature<Int> { Reduce { (n: inout Int, _: CounterAction) in n += 2 } }
        _ = Store(Bank(), options: mistakes.options()) { Scope(\.doubled, double) }
        #expect(mistakes.kinds == [.unnamedScope])
        let text = mistakes.all.first?.description ?? ""
        #expect(text.contains("Scope(path, name: \"settings\""))
        #expect(text.hasSuffix("the rows of a table or an array are Scope(each: path, feature)."))
        let named = Mistakes()
        let store = Store(Bank(), options: named.options()) {
            Scope(\.doubled, name: "doubled", double)
        }
        store.dispatch(CounterAction.increment)
        #expect(named.all.isEmpty)
        #expect(store.state.balance == 1)
    }

    @Test
    func `Programmer errors teach: elements of a tuple without labels have no names`() {
        struct Pair: Sendable { var both = (Bank(), Bank()) }
        let bank = Feature<Bank> { Reduce { (bank, _: CounterAction) in bank.balance += 1 } }
        let mistakes = Mistakes()
        _ = Store(Pair(), options: mistakes.options()) {
            Scope(\.both.0, bank)
            Scope(\.both.1, bank)
        }
        #expect(mistakes.kinds == [.unnamedScope, .unnamedScope])
        let named = Mistakes()
        let store = Store(Pair(), options: named.options()) {
            Scope(\.both.0, name: "left", bank)
            Scope(\.both.1, name: "right", bank)
        }
        store.dispatch(CounterAction.increment, to: .child(\.both.1, name: "right"))
        #expect(named.all.isEmpty)
        #expect(store.state.both.0.balance == 0 && store.state.both.1.balance == 1)
    }

    @Test
    func `Programmer errors teach: two scopes with one name`() {
        let mistakes = Mistakes()
        _ = Store(Bank(), options: mistakes.options()) {
            Scope(\.left, name: "counter", counter)
            Scope(\.right, name: "counter", counter)
        }
        #expect(
            mistakes.all.map(\.description) == [
                """
                Two scopes have the address "counter", those of \\Bank.left and \\Bank.right. Actions \
                are sent to instances by address, so one that is meant for either reaches both. To \
                fix this, give each its own name: Scope(path, name: "left", feature).
                """
            ])
        #expect(mistakes.kinds == [.repeatedScope])
    }

    @Test
    func `Programmer errors teach: one feature twice at one place, once for all that is inside`() {
        let mistakes = Mistakes()
        let inner = Feature<Int> {}
        let nested = Feature<Counter> {
            counter
            Scope(\.count, inner)
        }
        _ = Store(Bank(), options: mistakes.options()) {
            Scope(\.left, nested)
            Scope(\.right, nested)
            Scope(\.left, nested)
        }
        #expect(
            mistakes.all.map(\.description) == [
                """
                A feature is listed twice at "left", so it handles each action twice there. To fix \
                this, list it once. Different features of one slice may stand side by side.
                """
            ])
        #expect(mistakes.kinds == [.repeatedFeature])
    }

    @Test
    func `several scopes of one slice, and one name in several scopes, are no programmer error`() {
        let mistakes = Mistakes()
        let opening = Feature<Counter?> {
            Reduce { (editor: inout Counter?, _: OtherAction) in editor = Counter() }
        }
        let store = Store(Bank(), options: mistakes.options()) {
            Scope(\.editor, opening)
            Scope(\.editor, counter)
            Scope(\.left, Feature<Counter> { Scope(\.count, Feature<Int> {}) })
            Scope(\.right, Feature<Counter> { Scope(\.count, Feature<Int> {}) })
        }
        store.dispatch(OtherAction())
        store.dispatch(CounterAction.increment)
        #expect(store.state.editor == Counter(count: 1))
        #expect(mistakes.all.isEmpty)
    }

    @Test
    func `Reaching an absent optional slice or row is no programmer error: no commit, counted`() {
        let mistakes = Mistakes()
        let store = makeBank(options: mistakes.options())
        let editor = store.scoped(to: \.editor)
        #expect(editor.dispatch(CounterAction.increment) == .refused(.absent))
        let row = store.scoped(to: .row(\.rows, id: 1))
        #expect(row.dispatch(CounterAction.increment) == .refused(.absent))
        #expect(store.log.version == 0)
        #expect(store.diagnostics.absences == 2)
        #expect(mistakes.all.isEmpty)
    }
}
