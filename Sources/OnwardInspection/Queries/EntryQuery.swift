// SPDX-License-Identifier: MIT

public import OnwardJournal

/// Selects entries, and where the page starts.
public struct EntryQuery: Sendable, Hashable {
    /// Where a page of entries begins.
    public enum Start: Sendable, Hashable {
        /// At the newest entry, going back.
        case end
        /// At the last entry before a moment, going back.
        case before(Int)
        /// At the first entry after a moment, going forward.
        case after(Int)
    }

    /// The maximum number of entries that one query examines.
    ///
    /// A page that ends for that reason reports where to continue.
    public static let mostExamined = 10_000
    /// The maximum number of entries on a page.
    public static let mostEntries = 1_000

    /// A text in the name, payload, address or place in the source, ignoring case; empty for all.
    public var text = ""
    /// The names of the actions, `Basket.Action/add`; empty for all.
    public var types: Set<String> = []
    /// The names of the actions that are left out.
    public var hiddenTypes: Set<String> = []
    /// Whether entries that changed nothing are left out.
    public var hidesUnchanged = false
    /// A part of the state that the entries changed; nil for all entries.
    ///
    /// If neither the newest state nor the one before all entries has the first step of the path,
    /// it also means all parts whose path contains its text, ignoring case: `player1` finds
    /// `score.player1`.
    public var path: DataPath?
    /// Where the page begins.
    public var start = Start.end
    /// The maximum number of entries, at most ``mostEntries``.
    public var limit = 100

    /// Creates a query for all entries, starting with the newest.
    public init() {}

    /// Whether states are needed to find matching entries.
    var needsStates: Bool { hidesUnchanged || path != nil }

    /// Whether every entry matches.
    package var isUnfiltered: Bool {
        text.isEmpty && types.isEmpty && hiddenTypes.isEmpty && !needsStates
    }

    /// Whether the actions with a name may match.
    package func includes(type name: String) -> Bool {
        (types.isEmpty || types.contains(name)) && !hiddenTypes.contains(name)
    }
}

/// A page of the entries of a log, in the order in which they run.
public struct EntryPage: Sendable, Hashable, Codable {
    /// The entries.
    public var entries: [EntryLine] = []
    /// The moment before which more entries may match; nil if there is nothing before.
    public var earlier: Int?
    /// The moment after which more entries may match; nil if there is nothing after.
    public var later: Int?
    /// How many entries were examined.
    public var examined = 0

    /// Creates an empty page.
    package init() {}
}

/// A summary of an entry, in one line.
public struct EntryLine: Sendable, Hashable, Codable, Identifiable {
    /// The number of the entry.
    public var id = 0
    /// The moment right after it.
    public var moment = 0
    /// The name of the action, `Basket.Action/add`.
    public var name = ""
    /// The beginning of the payload as JSON.
    public var preview = ""
    /// The instance that the action was for; empty for all.
    public var address = ""
    /// Nanoseconds since 1970; 0 if unknown.
    public var time: Int64 = 0
    /// Nanoseconds since the previous entry; 0 if unknown.
    public var delta: Int64 = 0
    /// The source file that dispatched the action; empty if unknown.
    public var file = ""
    /// The line in that file; 0 if unknown.
    public var line = 0
    /// The id of the request that sent the action; nil if the program dispatched it by itself.
    public var request: String?
    /// The path of the page whose form, link or key sent that request; nil if unknown.
    public var page: String?
    /// Whether the entry is skipped.
    public var isSkipped = false
    /// Whether the entry is after the moment that is shown.
    public var isAhead = false
    /// Whether the entry changed the state; nil if that was not asked, or would take too long.
    public var isChange: Bool?
    /// The entry's change to the requested part of the state.
    public var change: StateChange?
    /// The entry after which ``change`` has the old value, if the states in between are not known:
    /// then this entry, or one of those in between, made the change.
    public var since: Int?

    /// Creates an empty line.
    package init() {}
}

/// The details of an entry.
public struct EntryDetail: Sendable, Hashable, Codable {
    /// The summary of the entry.
    public var line = EntryLine()
    /// The payload of the action.
    public var payload = StateNode()
    /// Whether the payload is shown by reflection because the action's type is not `Encodable`.
    public var isReflected = false
    /// The version of its commit in the store; nil if it has none.
    public var version: UInt64?

    /// Creates an empty entry.
    package init() {}
}
