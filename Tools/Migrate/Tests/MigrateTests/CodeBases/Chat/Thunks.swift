// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import ReSwift
import ReSwiftThunk

func send(_ text: String) -> Thunk<ChatState> {
    Thunk { dispatch, getState in
        guard let state = getState(), state.isOnline else { return dispatch(Connect()) }
        dispatch(Receive(message: stamp(text)))
        Task.detached {
            let answer = try await Socket.shared.send(text)
            dispatch(Receive(message: stamp(answer))) // difficulty: background-dispatch
        }
    }
}

let connect = Thunk<ChatState> { dispatch, _ in
    Task { @MainActor in
        await Socket.shared.open()
        dispatch(Connect())
    }
}

let thunks: Middleware<ChatState> = createThunksMiddleware() // difficulty: renamed
let chat = Store(reducer: chatReducer, state: nil, middleware: [thunks])

let auditing: Middleware<ChatState> = { dispatch, getState in
    { next in
        { action in
            let before = chat.state
            next(action)
            print(before as Any, getState() as Any)
        }
    }
}
