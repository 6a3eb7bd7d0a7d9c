// SPDX-License-Identifier: MIT

public import OnwardJournal

/// Which entries are wanted, and from where.
public struct EntryQuery: Sendable, Hashable {
    /// Where a page of entries begins.
    public enum Start: Sendable, Hashable {
        /// At the newest entry, and back.
        case end
        /// At the last entry before a moment, and back.
        case before(Int)
        /// At the first entry after a moment, and on.
        case after(Int)
    }

    /// The most entries that one question looks at.
    ///
    /// A page that ends for that reason says where to go on.
    public static let mostExamined = 10_000
    /// The most entries of a page.
    public static let mostEntries = 1_000

    /// Letters that the name, the payload, the address or the place in the source has, in any case; empty for all.
    public var text = ""
    /// The names of the actions, `Basket.Action/add`; empty for all.
    public var types: Set<String> = []
    /// The names of the actions that are left out.
    public var hiddenTypes: Set<String> = []
    /// Whether entries are left out that changed nothing.
    public var hidesUnchanged = false
    /// A part of the state that the entries changed; nil for all.
    ///
    /// Where neither the newest state nor the one before all has its first step, it also means all parts whose path contains its
    /// text, in any case: `player1` finds `score.player1`.
    public var path: DataPath?
    /// Where the page begins.
    public var start = Start.end
    /// The most entries, at most ``mostEntries``.
    public var limit = 100

    /// All entries, the newest ones first of all.
    public init() {}

    /// Whether it takes states to know which entries fit.
    var needsStates: Bool { hidesUnchanged || path != nil }

    /// Whether every entry fits.
    package var isUnfiltered: Bool {
        text.isEmpty && types.isEmpty && hiddenTypes.isEmpty && !needsStates
    }

    /// Whether the actions of a name may fit.
    package func includes(type name: String) -> Bool {
        (types.isEmpty || types.contains(name)) && !hiddenTypes.contains(name)
    }
}

/// A page of the entries of a log, in the order in which they run.
public struct EntryPage: Sendable, Hashable, Codable {
    /// The entries.
    public var entries: [EntryLine] = []
    /// The moment before which there may be more that fit; nil where there is nothing before.
    public var earlier: Int?
    /// The moment after which there may be more that fit; nil where there is nothing after.
    public var later: Int?
    /// How many entries were looked at.
    public var examined = 0

    /// An empty page.
    package init() {}
}

/// An entry, in a line.
public struct EntryLine: Sendable, Hashable, Codable, Identifiable {
    /// The number of the entry.
    public var id = 0
    /// The moment right after it.
    public var moment = 0
    /// The name of the action, `Basket.Action/add`.
    public var name = ""
    /// The beginning of the payload as JSON.
    public var preview = ""
    /// The instance that it was meant for; empty for all.
    public var address = ""
    /// Nanoseconds since 1970; 0 where it is not known.
    public var time: Int64 = 0
    /// Nanoseconds since the entry before it; 0 where they are not known.
    public var delta: Int64 = 0
    /// The source file that dispatched it; empty where it is not known.
    public var file = ""
    /// The line in that file; 0 where it is not known.
    public var line = 0
    /// The id of the request that brought it; nil for what the program dispatched by itself.
    public var request: String?
    /// The path of the page whose form, link or key sent that request; nil where it is not known.
    public var page: String?
    /// Whether it is skipped.
    public var isSkipped = false
    /// Whether it is behind the moment that is shown.
    public var isAhead = false
    /// Whether it changed the state; nil where that was not asked, or would take too long.
    public var isChange: Bool?
    /// What it made of the part of the state that was asked for.
    public var change: StateChange?
    /// The entry after which ``change`` has the old value, where the states between are not known: then this entry, or
    /// one of those between, made the change.
    public var since: Int?

    /// An empty line.
    package init() {}
}

/// All that an entry says.
public struct EntryDetail: Sendable, Hashable, Codable {
    /// The entry in a line.
    public var line = EntryLine()
    /// The payload of the action.
    public var payload = StateNode()
    /// Whether the payload is shown by reflection, as the action's type is not `Encodable`.
    public var isReflected = false
    /// The version of its commit in the store; nil where it has none.
    public var version: UInt64?

    /// An entry that says nothing.
    package init() {}
}
