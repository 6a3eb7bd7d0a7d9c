// SPDX-License-Identifier: MIT

import Onward
import OnwardBridge
import ReSwift
import Synchronization
import Testing

/// What reads and steers the log does so with an app that knows nothing of it.
@Suite("Log")
struct LogTests {
    /// Lists every action by name and fields.
    private final class Lister: CommitObserver {
        typealias State = OnwardState<Bank>
        let lines = Guarded<[String]>([])

        func observe(_ commit: Commit<State>) {
            let action = commit.entry.action
            let fields = Mirror(reflecting: action).children.map {
                "\($0.label ?? "_"): \($0.value)"
            }
            let line = ([action.wireName] + fields).joined(separator: " ")
            lines.withValue { $0.append(line) }
        }
    }

    /// Keeps all states, and shows any of them again; while it does, actions are withheld.
    private final class Traveller: CommitObserver, CommitGate {
        typealias State = OnwardState<Bank>
        let states: Guarded<[State]>
        let isAway = Atomic(false)
        var needs: ObserverNeeds { .after }

        init(from state: State) { states = Guarded([state]) }

        func observe(_ commit: Commit<State>) {
            guard commit.entry.kind == .action, let after = commit.after else { return }
            states.withValue { $0.append(after) }
        }

        func accepts(_ pending: PendingCommit) -> Bool {
            !isAway.load(ordering: .acquiring)
        }

        func go(
            to index: Int, with controller: CommitGateController<State>,
            in store: Onward.Store<State>
        ) {
            let (state, count) = states.withValue { ($0[index], $0.count) }
            isAway.store(index < count - 1, ordering: .releasing)
            controller.install(state, replacing: store.log.version)
        }
    }

    @Test func `An observer lists every action by name and fields`() {
        let store = makeBank()
        let lister = Lister()
        let token = store.onward.log.attach(lister)
        store.dispatch(Deposit(amount: 50))
        store.dispatch(Rename(owner: "Bob"))
        store.dispatch(Limit.to(42))
        store.dispatch(Limit.none)
        store.dispatch(Unknown())
        #expect(
            lister.lines.withValue { $0 } == [
                "Deposit amount: 50", "Rename owner: Bob", "Limit/to to: 42", "Limit/none",
                "Unknown",
            ])
        token.cancel()
    }

    @Test func `The log line shows an action as itself`() {
        let lines = Guarded<[String]>([])
        let store = makeBank()
        let token = store.onward.log.attach(Lister())
        store.onward.log.replaceFeatures {
            ActionLogger { line in lines.withValue { $0.append(line) } }
            Reduce.everyAction { _, _ in }
        }
        store.dispatch(Deposit(amount: 50))
        store.dispatch(Limit.to(42))
        let seen = lines.withValue { $0 }
        #expect(seen.count == 2)
        #expect(seen.first?.hasPrefix("Deposit(amount: 50) → version 1 in ") == true)
        #expect(seen.last?.hasPrefix("Limit/to(42) → version 2 in ") == true)
        token.cancel()
    }

    @Test func `Statistics count actions by their own names`() {
        let store = makeBank()
        let statistics = Statistics<OnwardState<Bank>>()
        let token = store.onward.log.attach(statistics)
        store.dispatch(Deposit(amount: 1))
        store.dispatch(Deposit(amount: 1))
        store.dispatch(Limit.to(1))
        #expect(statistics.figures.mapValues(\.count) == ["Deposit": 2, "Limit": 1])
        token.cancel()
    }

    @Test func `The action itself can be had from the log`() {
        let store = makeBank()
        let entries = Guarded<[LogEntry]>([])
        struct Keeper: CommitObserver {
            typealias State = OnwardState<Bank>
            let keep: @Sendable (LogEntry) -> Void
            func observe(_ commit: Commit<State>) { keep(commit.entry) }
        }
        let token = store.onward.log.attach(
            Keeper { entry in entries.withValue { $0.append(entry) } })
        store.dispatch(Deposit(amount: 7))
        let action = entries.withValue { $0.first?.action as? OnwardAction }
        #expect((action?.base as? Deposit)?.amount == 7)
        token.cancel()
    }

    @Test func `The subscribers of an old app follow a gate back and forth`() {
        let store = makeBank()
        let traveller = Traveller(from: store.onward.state)
        let token = store.onward.log.attach(traveller)
        let controller = store.onward.log.attach(gate: traveller)
        let balance = Listener(of: Int.self)
        let owner = Listener(of: String.self)
        store.subscribe(balance) { $0.select(\.balance) }
        store.subscribe(owner) { $0.select { $0.owner } }
        store.dispatch(Deposit(amount: 1))
        store.dispatch(Rename(owner: "Bob"))
        store.dispatch(Deposit(amount: 1))

        traveller.go(to: 0, with: controller, in: store.onward)
        #expect(store.state.balance == 0)
        traveller.go(to: 1, with: controller, in: store.onward)
        store.dispatch(Deposit(amount: 100))
        #expect(store.state.balance == 1)
        traveller.go(to: 3, with: controller, in: store.onward)
        store.dispatch(Deposit(amount: 1))

        #expect(balance.values == [0, 1, 2, 0, 1, 2, 3])
        #expect(owner.values == ["Ada", "Bob", "Ada", "Bob"])
        token.cancel()
        controller.detach()
    }

    @Test func `The log of an old app can be replayed from its beginning`() {
        let store = ReSwift.Store(reducer: reduceBank, state: nil)
        let first = store.onward.state
        let entries = Guarded<[LogEntry]>([])
        struct Keeper: CommitObserver {
            typealias State = OnwardState<Bank>
            let keep: @Sendable (LogEntry) -> Void
            func observe(_ commit: Commit<State>) { keep(commit.entry) }
        }
        let token = store.onward.log.attach(
            Keeper { entry in entries.withValue { $0.append(entry) } })
        store.dispatch(Deposit(amount: 7))
        store.dispatch(Limit.to(3))
        let replayed = store.onward.log.replay(entries.withValue { $0 }, from: first)
        #expect(replayed.state?.balance == 3)
        #expect(store.state.balance == 3)
        token.cancel()
    }
}
