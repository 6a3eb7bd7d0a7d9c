// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift

struct Add: Action { let amount: Int }
struct SetStep: Action { let step: Int }
struct Shake: Action {}

let appReducer = CombinedReducer([CounterReducer(), SettingsReducer()]) // difficulty: older-reducer

let logger: Middleware = { dispatch, getState in // difficulty: older-middleware
    return { next in
        return { action in
            print("\(action) with \(String(describing: getState()))")
            return next(action)
        }
    }
}

let doubler: Middleware<AppState> = { dispatch, getState in
    return { next in
        return { action in
            if let set = action as? SetStep, set.step == 0 {
                dispatch?(SetStep(step: 1)) // difficulty: older-middleware
            }
            return next(action)
        }
    }
}

let mainStore = Store<AppState>(reducer: appReducer, state: nil, middleware: [logger, doubler])
