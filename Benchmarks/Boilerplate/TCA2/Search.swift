// SPDX-License-Identifier: MIT

import ComposableArchitecture2

@Feature struct Search {
    struct State {
        var query = ""
        var results: [String] = []
        var problem: String?
    }

    @Dependency(\.continuousClock) var clock
    var find: @Sendable (String) async throws -> [String]

    var body: some Feature {
        Update { _, _ in }
            .onChange(of: store.query) { state in
                guard !state.query.isEmpty else { return }
                let query = state.query
                store.addTask {
                    try await clock.sleep(for: .milliseconds(300))
                    do {
                        let results = try await find(query)
                        try store.modify { ($0.results, $0.problem) = (results, nil) }
                    } catch {
                        try store.modify { ($0.results, $0.problem) = ([], "\(error)") }
                    }
                }
            }
    }
}
