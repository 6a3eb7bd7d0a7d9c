// SPDX-License-Identifier: MIT
#if Inspector

public import Onward
internal import OnwardJournal

/// What the inspector's own store holds: where its browser tabs are, and the logs as they were seen last.
///
/// What is selected and filtered is in the URLs of the tabs: see ``Place``.
public struct InspectorState: Sendable {
    /// A store as it was seen last.
    struct Seen: Sendable {
        let name: String
        var log: any InspectedLog
        var summary: LogSummary
        var actionNames: [String]
        var actionForms: [ActionForm] = []
        var activity = StoreActivity()
        /// Why the last command was not done; nil if it was.
        var problem: String?
    }

    /// The open tabs.
    public internal(set) var tabs = RouteTabs<Place>()
    /// The stores, in the order in which they came.
    var stores: [Seen] = []
    /// The store that goes on by itself; nil where none does.
    var playback: Playback?

    init() {}

    subscript(name: String) -> Seen? { stores.first { $0.name == name } }

    /// How often the logs are looked at: nothing of the app's pays for a tab that isn't there.
    var pace: Duration? { tabs.open.isEmpty ? .seconds(1) : .milliseconds(100) }

    /// What was seen of each store.
    var known: [String: Known] {
        Dictionary(stores.map { ($0.name, Known($0.summary, $0.activity)) }) { first, _ in first }
    }

    /// What says whether there is something new.
    struct Known: Sendable, Hashable {
        let summary: LogSummary
        let activity: StoreActivity

        init(_ summary: LogSummary, _ activity: StoreActivity) {
            (self.summary, self.activity) = (summary, activity)
        }
    }
}
#endif
