// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import ReSwiftPlannerKit
import ReSwift_Thunk // difficulty: module-name
import UIKit

let thunks: Middleware<PlannerState> = createThunkMiddleware()

let store = Store<PlannerState>(
    reducer: plannerReducer, state: nil, middleware: [thunks])

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func applicationDidBecomeActive(_ application: UIApplication) {
        store.dispatch(loadPlans())
    }
}

func loadPlans() -> ReSwift_Thunk.Thunk<PlannerState> { // difficulty: module-name
    return Thunk { dispatch, getState in
        URLSession.shared.dataTask(with: plansAddress) { data, _, _ in
            guard let data = data else { return }
            DispatchQueue.main.async { dispatch(SetPlans(plans: decode(data))) }
        }.resume()
    }
}
