// SPDX-License-Identifier: MIT

import ComposableArchitecture

enum Plan: String { case free, paid }
@Reducer struct SignUp {
    @ObservableState struct State: Equatable {
        var name = ""
        var mail = ""
        var age: Int?
        var plan = Plan.free
        var wantsNews = false
        var note = ""
        var isSending = false
        var problem: String?

        var isValid: Bool { !name.isEmpty && mail.contains("@") }
    }
    enum Action: BindableAction { case binding(BindingAction<State>), send, sent(problem: String?) }

    var register: @Sendable (State) async throws -> Void

    var body: some ReducerOf<Self> {
        BindingReducer()
        Reduce { state, action in
            switch action {
            case .send where state.isValid:
                state.isSending = true
                return .run { [state] send in
                    var problem: String?
                    do { try await register(state) } catch { problem = "\(error)" }
                    await send(.sent(problem: problem))
                }
            case .sent(let problem): (state.isSending, state.problem) = (false, problem)
            case .binding, .send: break
            }
            return .none
        }
    }
}
