// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import ReSwiftLedger
import ReSwiftWalletCore

public final class Wallet {
    let store = Store<WalletState>(reducer: walletReducer, state: nil)
    let ledger = Ledger()

    public init() { store.subscribe(ledger) }
    public func earn(_ coins: Int) { store.dispatch(WalletAction.earn(coins)) }
}
