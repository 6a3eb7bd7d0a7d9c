// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift

public struct WalletState {
    public var coins = 0
    public init() {}
}

public enum WalletAction: Action {
    case earn(Int), spend(Int)
}

public func walletReducer(action: Action, state: WalletState?) -> WalletState {
    var state = state ?? WalletState()
    guard let action = action as? WalletAction else { return state }
    switch action {
    case .earn(let coins): state.coins += coins
    case .spend(let coins): state.coins -= min(coins, state.coins)
    }
    return state
}
