// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Synchronization
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

    @Test(arguments: ["fold", "pause", "commit", "sweep", "load"])
    func `what a history drops may use the history when it ends`(reason: String) {
        let last = Mutex<History<Int>?>(nil)
        let ended = Mutex(0)
        final class Witness: Sendable {
            let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }
        struct Meet: Action { let witness: Witness }
        let store = Store(0) { Reduce { (count: inout Int, _: Meet) in count += 1 } }
        let history = History(of: store, limit: 2)
        last.withLock { $0 = history }
        func meet() {
            store.dispatch(
                Meet(
                    witness: Witness { [history = last.withLock { $0 }] in
                        _ = history?.log.cursor
                        ended.withLock { $0 += 1 }
                    }))
        }
        meet()
        switch reason {
        case "fold": for _ in 0..<3 { meet() }
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
        #expect(ended.withLock { $0 } > 0)
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
        let told = Mutex<[[String]]>([])
        let token = store.subscribe(\.left.items, isolation: nil) { _, new in
            told.withLock { $0.append(new) }
        }
        #expect(history.jump(to: 1))
        #expect(names(store) == "a")
        #expect(store.version == 4)
        #expect(history.step(by: 1))
        #expect(names(store) == "ab")
        #expect(!history.step(by: 7) && !history.step(by: .max) && !history.step(by: .min))
        history.jumpToEnd()
        #expect(names(store) == "abc")
        #expect(told.withLock { $0 } == [["a"], ["a", "b"], ["a", "b", "c"]])
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
        #expect(history.log.staged.count == 1)
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
        #expect(store.version == 3)
    }

    @Test func `other reducers change what the entries lead to, once the states are forgotten`() {
        let history = History(of: store, spacing: 2)
        put("abc", into: store)
        store.replaceFeatures {
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
        #expect(history.log.snapshotCount <= 5)
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

    @Test func `a history that was let go of leaves the store as it is`() {
        var history: History<Shop>? = History(of: store)
        put("ab", into: store)
        history?.jump(to: 1)
        history = nil
        put("c", into: store)
        #expect(names(store) == "ac")
    }

    @Test func `plays on a clock, and stops where somebody else moves the cursor`() async {
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
        await store.idle()
        history.jumpToEnd()
        await store.idle()
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
