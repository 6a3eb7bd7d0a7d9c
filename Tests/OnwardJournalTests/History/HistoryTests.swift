// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing

struct HistoryTests {
    private let store = makeShop()

    private func names(_ store: Store<Shop>) -> String { store.state.left.items.joined() }

    private func put(_ names: String, into store: Store<Shop>) {
        for name in names { store.scoped(to: \.left).dispatch(add(String(name))) }
    }

    @Test func `records what is dispatched from its beginning on`() {
        put("a", into: store)
        let history = History(of: store)
        put("bc", into: store)
        #expect(history.log.staged.map(\.id) == [1, 2])
        #expect(history.log.staged.map(\.version) == [2, 3])
        #expect(history.log.base.left.items == ["a"])
        #expect(history.log.isAtEnd)
    }

    @Test func `entries are dated by the store's clock, which may use the history`() {
        let held = Guarded<History<Shop>?>(nil)
        let reads = Counter()
        let store = makeShop(
            with: StoreOptions(wallClock: {
                if let history = held.withValue({ $0 }) { reads.add(history.log.staged.count) }
                return Timestamp(nanosecondsSince1970: 42)
            }))
        let history = History(of: store)
        held.withValue { $0 = history }
        put("ab", into: store)
        history.jump(to: 1)
        put("c", into: store)
        #expect(names(store) == "a")
        #expect(history.log.staged.map(\.time?.nanosecondsSince1970) == [42, 42, 42])
        #expect(reads.total > 0)
        held.withValue { $0 = nil }
    }

    @Test(arguments: ["fold", "pause", "commit", "sweep", "load"])
    func `what a history drops may use the history when it ends`(reason: String) {
        let last = Guarded<History<Int>?>(nil)
        let ended = Guarded(0)
        final class Witness: Sendable {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }
        struct Meet: Action { let witness: Witness }
        let store = Store(0) { Reduce { (count: inout Int, _: Meet) in count += 1 } }
        let history = History(of: store, limit: 2)
        last.withValue { $0 = history }
        func meet() {
            store.dispatch(
                Meet(
                    witness: Witness { [history = last.withValue { $0 }] in
                        _ = history?.log.cursor
                        ended.withValue { $0 += 1 }
                    }))
        }
        meet()
        switch reason {
        case "fold": for _ in 0..<400 { meet() }
        case "pause":
            history.perform { $0.pause() }
            meet()
            meet()
            history.perform { $0.pause(false) }
        case "commit": history.perform { $0.commit() }
        case "sweep":
            history.toggle(1)
            history.perform { $0.sweep() }
        default: history.perform { _ = $0.load(base: 7, staged: [], cursor: 0) }
        }
        #expect(ended.withValue { $0 } > 0)
    }

    /// What a reducer that dispatches does when a history runs it again.
    @Test(arguments: ["fold", "pause", "jump"])
    func `a reducer that dispatches is refused when a history runs it again`(reason: String) {
        struct Count: Action {}
        let held = Guarded<Store<Int>?>(nil)
        let refused = Guarded(0)
        let store = Store(0, options: StoreOptions(onProgrammerError: { _ in })) {
            Reduce { (count: inout Int, _: Count) in
                count += 1
                guard let store = held.withValue({ $0 }) else { return }
                let result = store.dispatch(Count(), isolation: nil)
                if result == .refused(.insideReducer) { refused.withValue { $0 += 1 } }
            }
        }
        let history = History(of: store, limit: 2)
        held.withValue { $0 = store }
        for _ in 0..<2 { store.dispatch(Count()) }
        #expect(refused.withValue { $0 } == 2)
        switch reason {
        case "fold": store.dispatch(Count())
        case "pause":
            history.perform { $0.pause() }
            store.dispatch(Count())
        default: #expect(history.jump(to: 1))
        }
        #expect(refused.withValue { $0 } > 2)
        #expect(store.state == (reason == "jump" ? 1 : 3))
        held.withValue { $0 = nil }
    }

    @Test func `a reducer that a history runs again may read the history`() {
        struct Count: Action {}
        let held = Guarded<History<Int>?>(nil)
        let store = Store(0) {
            Reduce { (count: inout Int, _: Count) in
                _ = held.withValue { $0 }?.log
                count += 1
            }
        }
        let history = History(of: store)
        store.dispatch(Count())
        store.dispatch(Count())
        held.withValue { $0 = history }
        history.jump(to: 1)
        #expect(store.state == 1)
        held.withValue { $0 = nil }
    }

    @Test func `when what is shown is folded into the base, the base is shown`() {
        let history = History(of: store, limit: 4)
        put("a", into: store)
        history.jump(to: 0)
        put("bcde", into: store)
        #expect(history.log.base.left.items == ["a"])
        #expect(history.log.cursor == 0)
        #expect(names(store) == "a")
        history.jumpToEnd()
        #expect(names(store) == "abcde")
    }

    @Test func `shows another moment with a version that is new`() {
        let history = History(of: store)
        put("abc", into: store)
        let notified = Guarded<[[String]]>([])
        let token = store.subscribe(\.left.items, isolation: nil) { _, new in
            notified.withValue { $0.append(new) }
        }
        #expect(history.jump(to: 1))
        #expect(names(store) == "a")
        #expect(store.log.version == 4)
        #expect(history.step(by: 1))
        #expect(names(store) == "ab")
        #expect(!history.step(by: 7) && !history.step(by: .max) && !history.step(by: .min))
        history.jumpToEnd()
        #expect(names(store) == "abc")
        #expect(notified.withValue { $0 } == [["a"], ["a", "b"], ["a", "b", "c"]])
        token.cancel()
    }

    @Test func `withholds actions while another moment is shown, and shows them at the end`() {
        let history = History(of: store)
        put("abc", into: store)
        history.jump(to: 1)
        #expect(store.dispatch(add("d"), to: Address("left") ?? .root) == .withheld)
        #expect(names(store) == "a")
        history.jumpToEnd()
        #expect(names(store) == "abcd")
        put("e", into: store)
        #expect(names(store) == "abcde")
        #expect(history.log.staged.count == 5)
    }

    @Test func `a skipped action has not happened, and the store lives on`() {
        let history = History(of: store)
        put("abc", into: store)
        history.toggle(2)
        #expect(names(store) == "ac")
        put("d", into: store)
        #expect(names(store) == "acd")
        history.toggle(2)
        #expect(names(store) == "abcd")
    }

    @Test func `a locked store changes nothing and records nothing`() {
        let history = History(of: store)
        put("a", into: store)
        history.perform { $0.lock() }
        put("b", into: store)
        history.perform { $0.lock(false) }
        put("c", into: store)
        #expect(names(store) == "ac")
        #expect(history.log.staged.count == 2)
    }

    @Test func `a paused history lets actions run and keeps none`() {
        let history = History(of: store)
        put("a", into: store)
        history.perform { $0.pause() }
        put("b", into: store)
        #expect(names(store) == "ab")
        #expect(history.log.staged.isEmpty)
        #expect(!history.toggle(1))
        history.perform { $0.pause(false) }
        #expect(names(store) == "ab")
        put("c", into: store)
        #expect(names(store) == "abc")
        #expect(history.log.staged.count == 1)
    }

    @Test func `a subscriber may jump`() {
        let history = History(of: store)
        put("ab", into: store)
        let token = store.subscribe(\.left.items.count, isolation: nil) { _, count in
            if count == 3 { history.jump(to: 1, isolation: nil) }
        }
        put("c", into: store)
        #expect(names(store) == "a")
        token.cancel()
    }

    @Test func `keeps a state now and then while it records, so that a jump runs few entries`() {
        let history = History(of: store, spacing: 10)
        put("abcdefghijklmnopqrstuvwxyzabcdefgh", into: store)
        #expect(history.log.snapshotCount == 3)
        history.jump(to: 25)
        #expect(names(store) == "abcdefghijklmnopqrstuvwxy")
        history.toggle(3)
        history.jumpToEnd()
        #expect(names(store) == "abdefghijklmnopqrstuvwxyzabcdefgh")
    }

    @Test func `states can be looked at without showing them`() {
        let history = History(of: store)
        put("abc", into: store)
        #expect(history.state(at: 1).left.items == ["a"])
        #expect(history.state(at: 99).left.items == ["a", "b", "c"])
        #expect(store.log.version == 3)
    }

    @Test func `other reducers change what the entries lead to, once the states are forgotten`() {
        let history = History(of: store, spacing: 2)
        put("abc", into: store)
        store.log.replaceFeatures {
            Scope(
                \.left,
                Feature<Basket> {
                    Reduce { (basket: inout Basket, action: BasketAction) in
                        if case .add(let name, _) = action {
                            basket.items.append(name.uppercased())
                        }
                    }
                })
        }
        #expect(names(store) == "abc")
        history.perform { $0.recompute() }
        #expect(names(store) == "ABC")
        history.jump(to: 1)
        #expect(names(store) == "A")
    }

    @Test func `several entries are skipped, moved and swept in the store`() {
        let history = History(of: store)
        put("abcde", into: store)
        history.perform { $0.setActive(false, 2...4) }
        #expect(names(store) == "ae")
        history.perform { $0.move(5, before: 1) }
        #expect(names(store) == "ea")
        history.perform { $0.sweep() }
        #expect(history.log.staged.map(\.id) == [5, 1])
        history.perform { $0.commit() }
        put("x", into: store)
        history.perform { $0.rollback() }
        #expect(names(store) == "ea")
        history.perform { $0.reset() }
        #expect(names(store).isEmpty)
        #expect(history.log.staged.isEmpty)
    }

    @Test func `no more entries and states are kept than the limits say`() {
        let history = History(of: store, limit: 50, spacing: 10)
        for _ in 0..<20 { put("abcdefghij", into: store) }
        #expect(history.log.staged.count <= 50)
        // With those of the entries that are still to be folded.
        #expect(history.log.snapshotCount <= 8)
        #expect(names(store).count == 200)
        history.jump(to: 0)
        #expect(names(store).count == 200 - history.log.staged.count)
    }

    @Test func `two stores and their histories know nothing of one another`() {
        let other = makeShop()
        let (history, otherHistory) = (History(of: store), History(of: other))
        put("ab", into: store)
        put("xyz", into: other)
        history.jump(to: 0)
        #expect(names(store).isEmpty)
        #expect(names(other) == "xyz")
        #expect(otherHistory.log.cursor == 3)
    }

    @Test func `a released history leaves the store as it is`() {
        var history: History<Shop>? = History(of: store)
        put("ab", into: store)
        history?.jump(to: 1)
        history = nil
        put("c", into: store)
        #expect(names(store) == "ac")
    }

    @Test func `a history that steers no store moves nothing, and says so`() {
        put("abc", into: store)
        let history = History(of: store)
        put("d", into: store)
        #expect(history.isAttached)
        history.detach()
        #expect(!history.isAttached)
        #expect(!history.jump(to: 0) && !history.toggle(1) && !history.step(by: -1))
        #expect(history.log.cursor == 1)

        var other: Store<Int>? = Store(0) {}
        let first = other.map { History(of: $0) }
        #expect(first?.isAttached == true)
        other = nil
        #expect(first?.isAttached == false)
    }

    @Test func `a log computes states also when its store is gone`() {
        func record() -> HistoryLog<Shop> {
            let store = makeShop()
            let history = History(of: store)
            put("ab", into: store)
            return history.log
        }
        var log = record()
        #expect(log.state(at: 1).left.items == ["a"])
    }

    @Test func `a subscriber that answers each state with an action ends with a report`() {
        struct Count: Action {}
        let mistakes = Guarded<[ProgrammerError.Kind]>([])
        let handler: @Sendable (ProgrammerError) -> Void = { mistake in
            mistakes.withValue { $0.append(mistake.kind) }
        }
        let store = Store(0, options: StoreOptions(onProgrammerError: handler)) {
            Reduce { (count: inout Int, _: Count) in count += 1 }
        }
        let history = History(of: store)
        for _ in 0..<3 { store.dispatch(Count()) }
        history.jump(to: 1)
        let token = store.subscribe(\.self) { [weak store] _, _ in store?.dispatch(Count()) }
        history.jumpToEnd()
        #expect(mistakes.withValue { $0 }.contains(.subscriberLoop))
        #expect(store.state < 2_010)
        token.cancel()
        store.dispatch(Count())
        #expect(store.state == history.state(at: history.log.cursor))
    }

    @Test func `a jump that the store refused is shown with the next action`() {
        let mistakes = Guarded(0)
        struct Count: Action {}
        let store = Store(
            0, options: StoreOptions(onProgrammerError: { _ in mistakes.withValue { $0 += 1 } })
        ) {
            Reduce { (count: inout Int, _: Count) in count += 1 }
        }
        let history = History(of: store)
        for _ in 0..<3 { store.dispatch(Count()) }
        let answers = Guarded(true)
        let token = store.subscribe(\.self) { [weak history] _, new in
            if answers.withValue({ $0 }) { history?.jump(to: new == 1 ? 2 : 1) }
        }
        history.jump(to: 1)
        #expect(mistakes.withValue { $0 } == 1)
        answers.withValue { $0 = false }
        history.jump(to: history.log.cursor)
        #expect(store.state == history.state(at: history.log.cursor))
        history.jumpToEnd()
        store.dispatch(Count())
        #expect(store.state == 4)
        token.cancel()
    }

    @Test func `plays on a clock, and stops when something else moves the cursor`() async {
        let clock = ManualClock()
        let history = History(of: store)
        put("abcd", into: store)
        history.jump(to: 0)
        let playing = Task { await history.play(.steady(.seconds(1)), on: clock) }
        for count in 1...2 {
            await clock.sleepers(1)
            clock.advance(by: .seconds(1))
            _ = try? await store.wait { $0.left.items.count == count }
        }
        await clock.sleepers(1)
        history.jump(to: 1)
        clock.advance(by: .seconds(1))
        await playing.value
        #expect(names(store) == "a")
    }
}

struct HistoryStressTests {
    @Test func `no action is lost between dispatching threads and jumps`() async {
        let store = makeShop()
        let history = History(of: store, spacing: 16)
        let (writers, each) = (4, 500)
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    let left = store.scoped(to: \.left)
                    for number in 0..<each {
                        left.dispatch(add("\(writer)-\(number)"), isolation: nil)
                    }
                }
            }
            group.addTask {
                for index in 0..<200 {
                    history.jump(to: index % 7, isolation: nil)
                    history.jumpToEnd(isolation: nil)
                }
            }
        }
        await store.waitUntilIdle()
        history.jumpToEnd()
        await store.waitUntilIdle()
        #expect(history.log.staged.count == writers * each)
        #expect(Set(store.state.left.items).count == writers * each)
        #expect(store.state.left.items.count == writers * each)
        let recorded = history.log.staged.compactMap { entry -> String? in
            guard case .add(let name, _)? = entry.action as? BasketAction else { return nil }
            return name
        }
        #expect(store.state.left.items == recorded)
    }
}
