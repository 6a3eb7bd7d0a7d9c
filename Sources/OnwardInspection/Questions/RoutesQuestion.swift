// SPDX-License-Identifier: MIT

/// Where the user was.
package struct RoutesQuestion: LogQuestion {
    package static let address = "routes"
    package static let fields: [QuestionField] = [.before, .after, .limit]
    package static let tool: QuestionTool? = QuestionTool(
        "routes",
        "Where the user was: the entries that changed the route, the newest ones, each with the old and the new route."
    )

    private var before: Int?
    private var after: Int?
    private var limit: Int?

    package init(_ query: EntryQuery) {
        (before, after) = query.start.moments
        limit = query.limit
    }

    package func answer(from store: AskedStore) -> EntryPage {
        var query = EntryQuery()
        query.start = EntryQuery.Start(before: before, after: after)
        query.limit = limit ?? query.limit
        return store.log.routes(query)
    }
}
