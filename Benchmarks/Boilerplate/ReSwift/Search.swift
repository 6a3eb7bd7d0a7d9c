// SPDX-License-Identifier: MIT

import ReSwift

struct Search: Equatable {
    var query = ""
    var results: [String] = []
    var problem: String?
}
enum SearchAction: Action { case query(String), found([String], problem: String?) }

func search(action: Action, state: Search?) -> Search {
    var state = state ?? Search()
    switch action as? SearchAction {
    case .query(let query): state.query = query
    case .found(let results, let problem): (state.results, state.problem) = (results, problem)
    case nil: break
    }
    return state
}

func searching(_ find: @escaping (String) async throws -> [String]) -> Middleware<Search> {
    var task: Task<Void, any Error>?
    return { dispatch, _ in
        { next in
            { action in
                next(action)
                guard case .query(let query)? = action as? SearchAction else { return }
                task?.cancel()
                if query.isEmpty { return }
                task = Task { @MainActor in
                    try await Task.sleep(for: .milliseconds(300))
                    var (results, problem): ([String], String?) = ([], nil)
                    do { results = try await find(query) } catch { problem = "\(error)" }
                    if !Task.isCancelled { dispatch(SearchAction.found(results, problem: problem)) }
                }
            }
        }
    }
}
