// SPDX-License-Identifier: MIT
#if Server

internal import Onward
internal import OnwardInspection
internal import OnwardJournal
public import OnwardNavigation

/// The state of the inspector's own store: its browser tabs, and the logs as last seen.
///
/// The selection and the filters are in the URLs of the tabs: see ``Place``.
public struct InspectorState: Sendable {
    /// A store as it was last seen.
    struct Seen: Sendable {
        let name: String
        var log: any InspectedLog
        var summary: LogSummary
        var actionNames: [String]
        var actionForms: [ActionForm] = []
        /// The pages that it has, and the columns of its list.
        var pages: [InspectorPage] = []
        var columns: [InspectorColumn] = []
        /// Its activity besides its log; nil while no open tab shows that.
        var activity: StoreActivity?
        /// The same, for a page that no tab shows yet.
        var lookAtActivity: @Sendable () -> StoreActivity = { StoreActivity() }
        /// What is wrong with a store that lives elsewhere; nil if nothing is.
        var notice: String?
        /// Increases with the answers of a store that lives elsewhere.
        var arrivals = 0
        /// The app that has the store, if it lives elsewhere.
        var app: String?
        /// Increases when a search for a shortest test gets further.
        var searchRevision = 0
        /// How many entries there were when the past was first shown; nil at the newest moment.
        var takenBefore: Int?
        /// Why the last command was not performed; nil if it was.
        var problem: String?

        /// How many entries arrived while the past is shown, which the app doesn't show.
        var waiting: Int { max(summary.taken - (takenBefore ?? summary.taken), 0) }
    }

    /// The open tabs.
    public internal(set) var tabs = RouteTabs<Place>()
    /// The stores, in the order in which they were added.
    var stores: [Seen] = []
    /// The store that plays by itself; nil if none does.
    var playback: Playback?

    init() {}

    /// Updates the stores to how they are now, keeping what is recorded of each besides its log.
    mutating func see(_ now: [Seen]) {
        let before = Dictionary(stores.map { ($0.name, $0) }) { first, _ in first }
        stores = now.map { seen in
            var seen = seen
            let old = before[seen.name]
            seen.problem = old?.problem
            seen.takenBefore =
                seen.summary.isAtEnd ? nil : old?.takenBefore ?? seen.summary.taken
            return seen
        }
    }

    subscript(name: String) -> Seen? { stores.first { $0.name == name } }

    /// How often the logs are read: a tab that isn't there must not slow down the app.
    var pace: Duration? { tabs.open.isEmpty ? .seconds(1) : .milliseconds(100) }

    /// What was seen of each store.
    var known: [String: Known] {
        Dictionary(stores.map { ($0.name, Known($0)) }) { first, _ in first }
    }

    /// What shows whether there is something new.
    struct Known: Sendable, Hashable {
        let summary: LogSummary
        let activity: StoreActivity?
        let notice: String?
        let arrivals: Int
        let searchRevision: Int

        init(_ seen: Seen) {
            (summary, activity) = (seen.summary, seen.activity)
            (notice, arrivals) = (seen.notice, seen.arrivals)
            searchRevision = seen.searchRevision
        }

        init(_ store: any InspectedStore, withActivity isWanted: Bool) {
            summary = store.summary
            activity = isWanted ? store.activity : nil
            let distant = store as? any DistantStore
            (notice, arrivals) = (distant?.notice, distant?.arrivals ?? 0)
            searchRevision = (store as? any OwnStore)?.searchRevision ?? 0
        }
    }

    /// Whether a tab shows what stores do besides their logs.
    var showsActivity: Bool {
        tabs.open.map(\.routes.current).contains { place in
            let seen = place.store.map { self[$0] } ?? stores.first
            return place.watchesActivity(with: seen?.pages ?? [])
        }
    }

    /// The shortest tests that open tabs show.
    var searches: [(store: String, entry: Int, path: DataPath)] {
        tabs.open.map(\.routes.current).compactMap { place in
            guard place.pane == .test, place.isShortest,
                let seen = place.store.map({ self[$0] }) ?? stores.first
            else { return nil }
            return (seen.name, place.entry ?? seen.summary.shownID, place.path)
        }
    }

    /// Where the open tabs are; never nil, as an effect depends on it.
    var places: Set<Place>? { Set(tabs.open.map(\.routes.current)) }
}
#endif
