// SPDX-License-Identifier: MIT

import ReSwift
import ReSwiftThunk

let thunkMiddleware: Middleware<AppState> = createThunkMiddleware()

func makeStore() -> Store<AppState> {
    return Store<AppState>(reducer: appReducer, state: nil, middleware: [thunkMiddleware])
}
