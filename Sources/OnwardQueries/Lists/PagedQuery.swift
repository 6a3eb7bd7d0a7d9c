// SPDX-License-Identifier: MIT

public import Onward

/// A question whose answer comes in pages, found by a cursor or a number.
///
/// ```swift
/// struct Feed: PagedQuery {
///     static let name = "feed"
///     typealias Failure = APIError
///     var search = ""
///     var firstCursor: Int { 1 }
///     static func items(of page: Page) -> [Note] { page.notes }
///     static func cursor(after page: Page, at cursor: Int) -> Int? { page.isLast ? nil : cursor + 1 }
///     static func cursor(before page: Page, at cursor: Int) -> Int? { cursor > 1 ? cursor - 1 : nil }
/// }
/// ```
public protocol PagedQuery: Hashable, Codable, Sendable {
    /// Where a page is.
    associatedtype Cursor: Hashable, Codable, Sendable
    /// What the server answers for a page.
    associatedtype Page: Equatable, Codable, Sendable
    /// A row of the list.
    associatedtype Item: Identifiable, Equatable, Sendable where Item.ID: Sendable
    /// Why there is no answer.
    associatedtype Failure: Error, Equatable, Codable, Sendable

    /// The name of the pages' actions in logs and journals, unique within a store.
    static var name: String { get }
    /// Where the list begins.
    var firstCursor: Cursor { get }
    /// The rows of a page.
    static func items(of page: Page) -> [Item]
    /// Where the next page is; nil after the last one.
    static func cursor(after page: Page, at cursor: Cursor) -> Cursor?
    /// Where the page before is; nil before the first one.
    static func cursor(before page: Page, at cursor: Cursor) -> Cursor?
}

extension PagedQuery {
    /// No page: the list is read forward only.
    public static func cursor(before page: Page, at cursor: Cursor) -> Cursor? { nil }
}

/// One page of a ``PagedQuery``, which is a query of its own.
public struct PageQuery<Q: PagedQuery>: Query {
    /// What the server answers.
    public typealias Answer = Q.Page
    /// Why there is no answer.
    public typealias Failure = Q.Failure

    /// The name of the list.
    public static var name: String { Q.name }

    /// The list.
    public let list: Q
    /// The page.
    public let cursor: Q.Cursor

    /// Creates the query of a page.
    public init(_ list: Q, at cursor: Q.Cursor) {
        self.list = list
        self.cursor = cursor
    }
}

/// What a user does with a list in pages; ``FetchPages`` handles it.
public enum PagedAction<Q: PagedQuery>: Action, Equatable, Codable {
    /// Shows the pages after the last one.
    case next
    /// Shows the page before the first one.
    case previous
    /// Shows a list from its beginning, or none.
    case show(Q?)

    /// The name of the list, and what this is.
    public static var actionName: String { Q.name + ".pages" }
}
