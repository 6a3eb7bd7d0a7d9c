// SPDX-License-Identifier: MIT

import Foundation
import Onward
import Testing

@testable import TestSupport

@Suite struct MiddlewareStressTests {
    @Test
    func `runs on several threads at once, each action with its own context`() {
        let wrong = Guarded(0)
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { action, context in
                if case BankAction.deposit(let line) = action, context.origin.line != line {
                    wrong.withValue { $0 += 1 }
                }
                return nil
            }
            bank
        }
        onThreads(8) { thread in
            for _ in 0..<scaled(5_000) {
                store.dispatch(BankAction.deposit(thread), line: thread)
            }
        }
        #expect(wrong.withValue { $0 } == 0)
        #expect(store.log.version == CommitVersion(8 * scaled(5_000)))
    }

    @Test
    func `features are replaced while others are on their way through middlewares`() {
        let store = Store(Bank()) {
            ClosureMiddleware<Bank> { _, _ in nil }
            bank
        }
        let each = scaled(3_000)
        onThreads(4) { thread in
            for _ in 0..<each {
                guard thread == 0 else {
                    store.dispatch(BankAction.deposit(1))
                    continue
                }
                store.log.replaceFeatures {
                    ClosureMiddleware<Bank> { _, _ in
                        sched_yield()
                        return nil
                    }
                    bank
                }
            }
        }
        #expect(store.state.balance == 3 * each)
    }
}
