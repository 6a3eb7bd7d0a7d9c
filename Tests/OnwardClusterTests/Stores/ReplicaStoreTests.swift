// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCluster

struct ReplicaStoreTests {
    private let proposed = Guarded<[String]>([])
    private let started = Guarded<[String]>([])

    private var replica: ReplicaStore<Ledger> {
        ReplicaStore(
            Ledger(), StoreOptions(),
            { [started] in
                Reduce { (ledger: inout Ledger, action: LedgerAction) in
                    if case .add(let line) = action { ledger.lines.append(line) }
                }
                OnAction { (action: LedgerAction, _: EffectContext<Ledger>) -> Effect in
                    if case .add(let line) = action { started.withValue { $0.append(line) } }
                    return .dispatch(LedgerAction.open(true))
                }
            },
            propose: { [proposed] pending, epoch in
                proposed.withValue {
                    $0.append("\(pending.action.wireName) \(epoch.map(String.init) ?? "outside")")
                }
            })
    }

    private func entry(_ version: CommitVersion, _ line: String) -> LogEntry {
        LogEntry(version: version, action: LedgerAction.add(line))
    }

    @Test func `shows entries, and takes nothing else`() {
        let replica = replica
        #expect(replica.show([entry(4, "a"), entry(5, "b")]) { _ in false })
        #expect(replica.store.state.lines == ["a", "b"])
        #expect(replica.store.dispatch(LedgerAction.add("c")) == .withheld)
        #expect(replica.store.state.lines == ["a", "b"])
        #expect(proposed.withValue { $0 } == ["LedgerAction/add outside"])
    }

    @Test func `a subscriber that dispatches gets nothing in`() {
        let replica = replica
        let token = replica.store.subscribe(\.lines) { [store = replica.store] _, lines in
            if lines.count < 3 { store.dispatch(LedgerAction.add("more")) }
        }
        #expect(replica.show([entry(1, "a")]) { _ in true })
        #expect(replica.store.state.lines == ["a"])
        token.cancel()
    }

    @Test func `effects start with the entries that the owner has decided, and expire with it`() {
        let replica = replica
        _ = replica.show([entry(1, "before")]) { _ in false }
        replica.begin(7)
        _ = replica.show([entry(2, "mine")]) { _ in true }
        #expect(started.withValue { $0 } == ["mine"])
        #expect(proposed.withValue { $0 } == ["LedgerAction/open 7"])
        // The entry of another owner ends it.
        _ = replica.show([entry(3, "another's")]) { _ in false }
        _ = replica.show([entry(4, "late")]) { _ in true }
        #expect(started.withValue { $0 } == ["mine"])
        #expect(proposed.withValue { $0 }.count == 1)
    }

    @Test func `a state takes the place of what is shown, and starts nothing`() {
        let replica = replica
        replica.begin(1)
        replica.show(Ledger(lines: ["x"]), at: 8)
        #expect(replica.store.state.lines == ["x"])
        #expect(replica.show([entry(9, "y")]) { _ in true })
        #expect(replica.store.state.lines == ["x", "y"])
        // By the versions of the log, though the store counts otherwise.
        #expect((0...replica.store.version).map(replica.logVersion) == [0, 0, 8, 9])
        #expect(started.withValue { $0 } == [])
    }
}
