// SPDX-License-Identifier: MIT

import ReSwift

/// Every action, by name, as a middleware sees it.
var actionNames: [String] = []

let namingMiddleware: Middleware<AppState> = { _, _ in
    { next in
        { action in
            actionNames.append(String(describing: type(of: action)))
            next(action)
        }
    }
}

let store = Store<AppState>(reducer: appReducer, state: nil, middleware: [namingMiddleware])
