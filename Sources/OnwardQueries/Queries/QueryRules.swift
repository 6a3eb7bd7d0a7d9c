// SPDX-License-Identifier: MIT

/// How a cache treats its keys, as a ``Fetch`` declares it.
struct QueryRules<Q: Query>: Sendable {
    /// How long an answer is fresh; nil until it is invalidated.
    var freshFor: Duration?
    /// How often a wanted key is asked for again.
    var interval: Duration?
    /// How long an answer is kept that nobody wants.
    var keepsUnused: Duration = .seconds(300)
    /// The most keys that are kept, wanted ones included.
    var count = 1_000
    /// The most bytes of unwanted answers, as `measure` counts them.
    var bytes = Int.max
    /// The most requests at a time.
    var requests = 8
    var measure: @Sendable (Q.Answer) -> Int = { _ in 0 }
    var tags: @Sendable (Q, Q.Answer) -> [QueryTag] = { _, _ in [] }

    /// How often an answer that was out of date when it came is asked for again before it is taken.
    static var repeatLimit: Int { 2 }
    /// The most tags that a request remembers; after more, its answer counts as out of date.
    static var invalidatedLimit: Int { 64 }
}
