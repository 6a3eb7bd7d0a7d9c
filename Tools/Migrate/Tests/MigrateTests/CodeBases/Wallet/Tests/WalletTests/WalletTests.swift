// SPDX-License-Identifier: MIT
// swift-format-ignore-file

@testable import ReSwift
@testable import ReSwiftLedger
@testable import ReSwiftWallet
import XCTest

final class WalletTests: XCTestCase {
    func testEarns() {
        let wallet = Wallet()
        wallet.earn(3)
        wallet.ledger.newValues(oldState: nil, newState: wallet.store.state)
        XCTAssertEqual(wallet.ledger.lines, ["0", "3", "3"])
        XCTAssertEqual(wallet.store.subscriptions.count, 1)
    }
}
