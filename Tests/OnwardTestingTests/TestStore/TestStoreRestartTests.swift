// SPDX-License-Identifier: MIT

#if Testing
import IssueReporting
import Onward
import Testing

@testable import OnwardTesting

/// What goes on when the program of a test starts again, and what is found off the test's task.
@Suite(.timeLimit(.minutes(5))) struct TestStoreRestartTests {
    struct Shop: Sendable, Equatable { var keys: [UniqueID] = [] }
    enum ShopAction: Action, Equatable { case pay, paid(UniqueID) }

    private static let shop = Feature<Shop> {
        Reduce { (shop: inout Shop, action: ShopAction) in
            if case .paid(let key) = action { shop.keys.append(key) }
        }
        OnAction { (action: ShopAction, context) -> Effect in
            action == .pay ? .dispatch(ShopAction.paid(context.ids.next())) : .none
        }
    }

    @Test func `ids, random numbers and time go on in the store of a restart`() async {
        let first = TestStore(Shop()) { Self.shop }
        await first.dispatch(ShopAction.pay)
        await first.receive(ShopAction.paid(UniqueID(number: 1))) {
            $0.keys = [UniqueID(number: 1)]
        }
        await first.advance(by: .seconds(7))
        await first.finish()
        let second = TestStore(continuing: first, from: Shop()) { Self.shop }
        #expect(second.clock === first.clock)
        await second.dispatch(ShopAction.pay)
        await second.receive(ShopAction.paid(UniqueID(number: 2))) {
            $0.keys = [UniqueID(number: 2)]
        }
        await second.finish()
    }

    /// Holds something that another task lets go of.
    private final class Holder: Sendable {
        private let held: Guarded<TestStore<Shop>?>

        /// With a store that has something to receive.
        init() {
            let store = TestStore(Shop()) { TestStoreRestartTests.shop }
            store.live.dispatch(ShopAction.pay)
            held = Guarded(store)
        }

        func release() { withExtendedLifetime(held.withValue { $0.take() }) {} }
    }

    @Test func `what is found off the task of a test fails that test`() async {
        let issues = Issues()
        await withIssueReporters([issues]) {
            let send: @Sendable (Int) -> Bool = unimplemented("send", returning: true)
            await Task.detached { _ = send(7) }.value
            while issues.all.isEmpty { await Task.yield() }
            #expect(issues.texts.first?.contains("send") == true)
        }
    }

    @Test func `an unfinished test store that another task releases fails its test`() async {
        let issues = Issues()
        await withIssueReporters([issues]) {
            let holder = Holder()
            await Task.detached { holder.release() }.value
            while issues.all.isEmpty { await Task.yield() }
            #expect(issues.texts.first?.contains("ShopAction") == true)
        }
    }
}
#endif
