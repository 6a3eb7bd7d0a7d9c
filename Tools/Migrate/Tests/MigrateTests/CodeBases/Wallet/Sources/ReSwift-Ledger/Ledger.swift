// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import ReSwiftWalletCore
import ReSwiftMonitor // difficulty: other-library
import ReSwifter

/// The internals of this have names that those of the library have, too.
final class Ledger: StoreSubscriber {
    private(set) var lines: [String] = []

    func newState(state: WalletState) {
        newValues(oldState: nil, newState: state)
    }

    func newValues(oldState: WalletState?, newState: WalletState) {
        lines.append("\(newState.coins)")
    }
}
