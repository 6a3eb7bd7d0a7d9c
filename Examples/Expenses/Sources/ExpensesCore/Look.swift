// SPDX-License-Identifier: MIT

public import Onward

/// What one visitor looks at; others may look at something else.
public struct Look: Hashable, Sendable {
    /// Which expenses are shown.
    public private(set) var query = Query()
    /// How many of them at most.
    public private(set) var rows = pageSize

    /// How many rows are shown at first, and how many more with each step.
    public static let pageSize = 50
    /// The most rows that are shown; more are found by a query.
    public static let limit = 1_000

    /// The first look.
    public init() {}

    /// Looks elsewhere.
    public mutating func apply(_ action: LookAction) {
        switch action {
        case .find(let text, let category, let month):
            query = Query(
                text: String(text.prefix(80)), category: Category(rawValue: category),
                month: Month(month))
            rows = Self.pageSize
        case .more: rows = min(rows + Self.pageSize, Self.limit)
        }
    }
}

/// What a visitor can do that changes no expense.
public enum LookAction: Action, Codable, Equatable {
    /// Looks for expenses; an empty category or month means all.
    case find(text: String, category: String, month: String)
    /// Looks at more of them.
    case more
}
