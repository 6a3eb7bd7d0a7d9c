// SPDX-License-Identifier: MIT

/// A question to a server, whose value is the key of its answer in a ``QueryCache``.
///
/// ```swift
/// struct Notes: Query {
///     static let name = "notes"
///     typealias Answer = Page
///     typealias Failure = APIError
///     var page = 1
/// }
/// ```
///
/// Equal values are one key: they share one request and one answer. The types are `Codable` because
/// questions and answers are in the log.
public protocol Query: Hashable, Codable, Sendable {
    /// What the server answers.
    associatedtype Answer: Equatable, Codable, Sendable
    /// Why there is no answer.
    associatedtype Failure: Error, Equatable, Codable, Sendable

    /// The name of the query's actions in logs and journals, unique within a store.
    static var name: String { get }
    /// Whether the answers are kept in memory only; false by default.
    ///
    /// Answers of a transient query are in no journal, no saved state and no report: those say that
    /// there was one. What is wanted is asked for again when the app is restored. For secrets, and
    /// for what is large and quickly asked for again.
    static var isTransient: Bool { get }
}

extension Query {
    /// False.
    public static var isTransient: Bool { false }
}

/// Something on the server that answers depend on, such as "note 7" or "all notes".
///
/// ```swift
/// extension QueryTag {
///     static let notes: QueryTag = "notes"
///     static func note(_ id: Int) -> QueryTag { QueryTag("note", id) }
/// }
/// ```
///
/// ``Fetch/tags(_:)`` says which tags an answer has; invalidating one of them makes it stale.
public struct QueryTag: Hashable, Codable, Sendable, ExpressibleByStringLiteral {
    /// The kind of thing.
    public let name: String
    /// Which one; nil for all of the kind, as a tag of its own.
    public let id: String?

    /// Creates a tag of one thing.
    public init(_ name: String, _ id: some CustomStringConvertible) {
        self.name = name
        self.id = id.description
    }

    /// Creates a tag without an id.
    public init(stringLiteral name: String) {
        self.name = name
        id = nil
    }
}
