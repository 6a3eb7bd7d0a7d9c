// SPDX-License-Identifier: MIT

import Observation

@MainActor @Observable final class Search {
    var query = "" { didSet { search() } }
    private(set) var results: [String] = []
    private(set) var problem: String?
    private let find: (String) async throws -> [String]
    private var task: Task<Void, any Error>?

    init(find: @escaping (String) async throws -> [String]) { self.find = find }

    private func search() {
        task?.cancel()
        if query.isEmpty { return }
        task = Task { [query] in
            try await Task.sleep(for: .milliseconds(300))
            var (found, problem): ([String], String?) = ([], nil)
            do { found = try await find(query) } catch { problem = "\(error)" }
            if !Task.isCancelled { (results, self.problem) = (found, problem) }
        }
    }
}
