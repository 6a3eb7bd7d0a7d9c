// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardCore
@testable import TestSupport

@Suite struct SubscriptionIndexTests {
    @Test
    func `one more and one fewer subscriber are two groups to look at, however many are idle`() {
        let store = makeBank(Bank(rows: (0..<1_000).map { Row(id: $0) }))
        let idle = (0..<1_000).map { id in
            store.scoped(to: .row(\.rows, id: id)).subscribe(\.?.count) { _, _ in }
        }
        let index = store.engine.withLock { $0.state.index }
        #expect(index.groups.count == 1_000)
        // What came before may be forgotten with the first change.
        store.subscribe(.selecting { $0.balance }) { _, _ in }.cancel()
        let revision = index.revision
        store.subscribe(.selecting { $0.balance }) { _, _ in }.cancel()
        #expect(index.changes(since: revision)?.count == 2)
        #expect(index.changes(since: index.revision)?.isEmpty == true)
        withExtendedLifetime(idle) {}
    }

    @Test
    func `what changed long ago is forgotten, so that the memory of it has a bound`() {
        let store = makeBank()
        let index = store.engine.withLock { $0.state.index }
        let revision = index.revision
        for _ in 0..<200 { store.subscribe(\.balance) { _, _ in }.cancel() }
        #expect(index.changes(since: revision) == nil)
        #expect(index.groups.isEmpty)
    }

    @Test(arguments: 0..<5)
    func `subscribers that come and go are notified of each commit that concerns them`(seed: UInt64)
    {
        var random = SeededGenerator(seed: seed)
        let store = makeBank()
        let notified = Log<Int>()
        var tokens: [Int: Subscription] = [:]
        for number in 0..<2_000 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                tokens[number] = store.subscribe(.selecting { $0.balance }) { _, _ in
                    notified.append(number)
                }
            case 3:
                tokens[number] = store.subscribe(\.other.count) { _, _ in notified.append(number) }
            case 4...5:
                if let key = tokens.keys.sorted().randomElement(using: &random) {
                    tokens[key] = nil
                }
            case 6 where number.isMultiple(of: 7):
                tokens = [:]
            default:
                let before = notified.all.count
                store.dispatch(BankAction.deposit(1))
                store.dispatch(OtherAction())
                #expect(Array(notified.all[before...]).sorted() == tokens.keys.sorted())
            }
        }
    }
}
