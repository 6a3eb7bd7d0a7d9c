// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import ReSwiftRouter
import UIKit

var store = Store<State>(reducer: AppReducer(), state: nil)

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var router: Router<State>!

    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        router = Router(
            store: store, rootRoutable: RootRoutable(window: window!),
            stateSelector: { state in state.navigationState }) // difficulty: older-router
        store.dispatch(ReSwiftRouter.SetRouteAction([loginRoute]))
        store.dispatch(fetchRepositories)
        return true
    }
}

class RepositoriesViewController: UITableViewController, StoreSubscriber {
    override func viewWillAppear(_ animated: Bool) {
        store.subscribe(self, selector: { $0.repositories }) // difficulty: older-subscribe
    }

    func newState(state: Response<[Repository]>?) {
        guard case .failure? = state else { return tableView.reloadData() }
        retry() // difficulty: dispatch-in-new-state
    }

    private func retry() {
        showSpinner()
        store.dispatch(fetchRepositories)
    }

    private func showSpinner() {}
}
