// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import ReSwiftRouter

struct BankState {
    var accounts = AccountsState()
    var navigation = NavigationState()
}

struct AccountsState: Equatable {
    var all: [Account] = []
    var selected: Account.ID?
}

struct Account: Equatable, Identifiable { let id: Int; var cents: Int }

enum AccountsAction: Action {
    case loaded([Account])
    case pay(from: Int, cents: Int)
}

enum Accounts {
    static var payments = 0

    static func reduce(_ state: AccountsState?, _ action: any Action) -> AccountsState {
        var state = state ?? AccountsState()
        guard let action = action as? AccountsAction else { return state }
        switch action {
        case .loaded(let accounts):
            state.all = accounts
            state.selected = accounts.randomElement()?.id // difficulty: impure-reducer
        case .pay(let from, let cents):
            payments += 1 // difficulty: impure-reducer
            if let index = state.all.firstIndex(where: { $0.id == from }) {
                state.all[index].cents -= cents
            }
        }
        return state
    }
}

let root: Reducer<BankState> = { action, state in
    BankState(
        accounts: Accounts.reduce(state?.accounts, action),
        navigation: NavigationReducer.handleAction(action, state: state?.navigation))
}

let bank = AuditedStore(reducer: root, state: nil)

final class AuditedStore: ReSwift.Store<BankState> { // difficulty: subclass
    private(set) var audit: [String] = []

    override func dispatch(_ action: any Action) {
        audit.append("\(action)")
        super.dispatch(action)
    }
}
