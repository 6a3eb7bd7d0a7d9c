// SPDX-License-Identifier: MIT

import Onward

struct Search: Equatable, Editable {
    var query = ""
    var results: [String] = []
    var problem: String?
    static let fields = Fields<Search>(\.query)
}
struct Found: Action, Equatable {
    var results: [String] = []
    var problem: String?
}

func search(_ find: @escaping @Sendable (String) async throws -> [String]) -> Feature<Search> {
    Feature {
        Edits()
        Reduce { (form, found: Found) in
            (form.results, form.problem) = (found.results, found.problem)
        }
        While(.selecting { $0.query.isEmpty ? nil : $0.query }) { query, context in
            try await context.clock.sleep(for: .milliseconds(300))
            context.dispatch(Found(results: try await find(query)))
        } catching: { _, error, context in
            context.dispatch(Found(problem: "\(error)"))
        }
    }
}
