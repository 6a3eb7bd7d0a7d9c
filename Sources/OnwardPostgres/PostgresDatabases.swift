// SPDX-License-Identifier: MIT
#if All

internal import Onward
public import OnwardJournal

/// Stores spread over several databases, each in one of them.
///
/// ```swift
/// let databases = try PostgresDatabases([first, second, third])
/// let journal = try await databases.journal(of: "room/7")
/// ```
///
/// The databases know nothing of each other: one that is slow or unavailable holds up only its own
/// stores.
public struct PostgresDatabases: Sendable {
    /// Decides where a store is kept, with the same answer for the same name, in every program and
    /// forever.
    public typealias Rule =
        @Sendable (_ store: String, _ databases: [PostgresDatabase]) ->
        PostgresDatabase

    /// All databases, in the order in which they were given.
    public let databases: [PostgresDatabase]
    private let rule: Rule?

    /// Creates a group of databases for stores.
    ///
    /// - Parameters:
    ///   - databases: The databases, in the same order in every program. One that is added at the
    ///     end takes over its share of the names; journals don't move by themselves, so pass a rule
    ///     that leaves existing ones where they are.
    ///   - rule: Decides where a store is kept; if nil, a hash of the store's name does.
    /// - Throws: `.invalid` if there is no database.
    public init(_ databases: [PostgresDatabase], rule: Rule? = nil) throws(JournalError) {
        guard !databases.isEmpty else {
            throw JournalError(
                .invalid, "Stores were to be spread over no database. Give one at least.")
        }
        self.databases = databases
        self.rule = rule
    }

    /// The database in which a store is kept.
    ///
    /// - Complexity: O(databases + length of the name), if there is no rule.
    public func database(of store: String) -> PostgresDatabase {
        rule?(store, databases) ?? databases[Self.place(of: store, among: databases.count)]
    }

    /// The journal of a store.
    ///
    /// - Throws: As ``PostgresJournal/init(of:in:)``.
    public func journal(of store: String) async throws(JournalError) -> PostgresJournal {
        try await PostgresJournal(of: store, in: database(of: store))
    }

    /// Closes all databases.
    public func close() async {
        await withTaskGroup(of: Void.self) { group in
            for database in databases { group.addTask { await database.close() } }
        }
    }

    /// The place whose number gives the greatest hash together with the name: with one place more,
    /// a name stays or goes there.
    static func place(of store: String, among count: Int) -> Int {
        let name = FNV64.hash(of: store)
        let weight = { (place: Int) -> UInt64 in
            var hash = name ^ (UInt64(place + 1) &* 0x9E37_79B9_7F4A_7C15)
            for _ in 0..<2 { hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93 }
            return hash ^ (hash >> 32)
        }
        return (0..<count).max { weight($0) < weight($1) } ?? 0
    }
}
#endif
