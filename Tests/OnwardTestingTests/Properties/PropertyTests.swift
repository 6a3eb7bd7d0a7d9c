// SPDX-License-Identifier: MIT

#if Testing
import Onward
import OnwardTesting
import Testing

@Suite struct PropertyTests {
    struct Account: Equatable, Sendable {
        var balance = 0
        var isOpen = true
    }

    enum AccountAction: Action, Equatable {
        case deposit(Int), withdraw(Int), close, reopen
    }

    struct Unknown: Action {}

    /// An account that forgets to look at its balance once it was closed and opened again.
    static let account = Feature<Account> {
        Reduce { (account: inout Account, action: AccountAction) in
            switch action {
            case .deposit(let amount): account.balance += amount
            case .withdraw(let amount):
                if account.isOpen, amount <= account.balance { account.balance -= amount }
                if !account.isOpen { account.balance -= amount }
            case .close: account.isOpen = false
            case .reopen: account.isOpen = true
            }
        }
    }

    private func check(
        seed: UInt64? = nil, runs: Int = 50,
        always invariants: KeyValuePairs<String, (Account) throws -> Bool> = [:],
        eachStep steps: KeyValuePairs<
            String, (Account, any Action, Account) throws -> Bool
        > = [:],
        next: ((inout RandomSource, Account) -> any Action)? = nil
    ) async -> [String] {
        await Issues.found {
            Self.account.check(
                from: Account(), always: invariants, eachStep: steps, runs: runs, seed: seed
            ) { random, account in
                if let next { return next(&random, account) }
                switch Int.random(in: 0..<4, using: &random) {
                case 0: return AccountAction.deposit(.random(in: 1...9, using: &random))
                case 1: return AccountAction.withdraw(1)
                case 2: return AccountAction.close
                default: return AccountAction.reopen
                }
            }
        }.texts
    }

    @Test func `a property that holds passes`() async {
        #expect(await check(always: ["is whole": { $0.balance == $0.balance }]) == [])
    }

    @Test func `a failing sequence is shortened and shown with its last change and its seed`()
        async throws
    {
        let text = try #require(
            await check(seed: 3, always: ["the balance is never negative": { $0.balance >= 0 }])
                .first)
        #expect(
            text.hasPrefix(
                """
                "the balance is never negative" does not hold after these actions:

                 1. PropertyTests.AccountAction.close
                 2. PropertyTests.AccountAction.withdraw(1)

                What the last one changes:

                  PropertyTests.Account(
                -   balance: 0,
                +   balance: -1,
                    isOpen: false
                  )

                (Before: -, after: +)

                """))
        #expect(text.contains("Shortened from "))
        #expect(text.contains("To see it again in the first run: seed: 0x"))
    }

    @Test func `the printed seed makes the first run fail in the same way`() async throws {
        let property: KeyValuePairs<String, (Account) throws -> Bool> = [
            "less than 30": { $0.balance < 30 }
        ]
        let first = try #require(await check(always: property).first)
        let digits = try #require(first.components(after: "seed: 0x"))
        let seed = try #require(UInt64(digits.prefix { $0.isHexDigit }, radix: 16))
        #expect(await check(seed: seed, runs: 1, always: property) == [first])
    }

    @Test func `steps compare the states before and after an action`() async throws {
        let text = try #require(
            await check(eachStep: [
                "only open accounts change": { before, _, after in
                    before.isOpen || before.balance == after.balance
                }
            ]).first)
        #expect(text.contains(" 1. PropertyTests.AccountAction.close\n 2. "))
        #expect(text.hasPrefix("\"only open accounts change\" does not hold after these actions:"))
    }

    @Test func `an error counts as a failure, and is notified`() async throws {
        struct Slip: Error {}
        let text = try #require(await check(always: ["fine": { _ in throw Slip() }]).first)
        #expect(
            text == """
                "fine" threw Slip() in the state before the first action:

                PropertyTests.Account(
                  balance: 0,
                  isOpen: true
                )
                """)
    }

    @Test func `an action that no reducer handles is a failure`() async throws {
        let text = try #require(await check(next: { _, _ in Unknown() }).first)
        #expect(text.hasPrefix("PropertyTests.Unknown is handled by no reducer after this action:"))
        #expect(text.contains("The last one changes nothing:"))
    }

    @Test func `the generator sees the state`() async {
        let texts = await check(
            always: ["at most 5": { $0.balance <= 5 }],
            next: { _, account in AccountAction.deposit(account.balance < 5 ? 1 : 0) })
        #expect(texts == [])
    }

    @Test func `properties that depend on more than the state are detected`() async throws {
        var calls = 0
        let text = try #require(
            await check(always: [
                "sometimes": { _ in
                    calls += 1
                    return calls != 5
                }
            ]).first)
        #expect(text.hasPrefix("The actions of run 1 broke a property, but not when they were run"))
    }
}

extension String {
    fileprivate func components(after text: String) -> Substring? {
        guard let range = firstRange(of: text) else { return nil }
        return self[range.upperBound...]
    }
}
#endif
