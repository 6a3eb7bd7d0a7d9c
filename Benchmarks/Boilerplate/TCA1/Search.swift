// SPDX-License-Identifier: MIT

import ComposableArchitecture

@Reducer struct Search {
    @ObservableState struct State: Equatable {
        var query = ""
        var results: [String] = []
        var problem: String?
    }
    enum Action: BindableAction {
        case binding(BindingAction<State>), found(Result<[String], any Error>)
    }
    enum CancelID { case search }

    @Dependency(\.continuousClock) var clock
    var find: @Sendable (String) async throws -> [String]

    var body: some ReducerOf<Self> {
        BindingReducer()
        Reduce { state, action in
            switch action {
            case .binding(\.query):
                guard !state.query.isEmpty else { return .cancel(id: CancelID.search) }
                return .run { [query = state.query] send in
                    try await clock.sleep(for: .milliseconds(300))
                    await send(.found(Result { try await find(query) }))
                }
                .cancellable(id: CancelID.search, cancelInFlight: true)
            case .found(.success(let results)): (state.results, state.problem) = (results, nil)
            case .found(.failure(let error)): (state.results, state.problem) = ([], "\(error)")
            case .binding: break
            }
            return .none
        }
    }
}
