// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import ReSwiftRouter
import UIKit

final class AccountsScreen: UIViewController, StoreSubscriber, Routable {
    private let store: Store<BankState>

    init(store: Store<BankState>) {
        self.store = store
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    func newState(state: AccountsState) {
        precondition(Thread.isMainThread)
        title = "\(state.all.count)"
        switch state.selected {
        case .some(let id) where state.all.isEmpty:
            store.dispatch(SetRouteAction(["account", "\(id)"])) // difficulty: dispatch-in-new-state
        default:
            break
        }
    }

    func push(
        _ element: RouteElement, animated: Bool, completion: @escaping RoutingCompletion
    ) -> any Routable {
        defer { completion() }
        return self
    }

    func pop(_ element: RouteElement, animated: Bool, completion: @escaping RoutingCompletion) { // difficulty: missing-completion
        navigationController?.popViewController(animated: animated)
    }

    func load() {
        Task {
            let accounts = await Backend().accounts()
            store.dispatch(AccountsAction.loaded(accounts))
        }
    }
}

struct Backend {
    func accounts() async -> [Account] { [] }

    func refresh() async {
        let all = await accounts()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                bank.dispatch(AccountsAction.loaded(all)) // difficulty: background-dispatch
            }
        }
    }

    @MainActor func refreshOnMain() async {
        bank.dispatch(AccountsAction.loaded(await accounts()))
    }
}

@MainActor
func reload() {
    Task { bank.dispatch(AccountsAction.loaded([])) }
}
