// SPDX-License-Identifier: MIT

/// What a page of the inspector asks: a store's log, what else it does, and which entry is selected.
public struct PageContext: Sendable {
    /// The log, which answers within the limits of the page.
    ///
    /// If the store lives elsewhere, a question that hasn't been answered yet returns nothing, and the
    /// page is asked again with the answer.
    public let log: any InspectedLog
    /// The id of the selected entry, or else of the one that is shown; 0 for the state before all.
    public let entry: Int
    let limits: QuestionLimits
    private let look: @Sendable () -> StoreActivity

    /// Creates what a page asks, as for a test of the page.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - entry: The id of the selected entry; nil for the one that is shown.
    ///   - activity: Looks at what else the store does.
    public init(
        _ log: any InspectedLog, entry: Int? = nil,
        activity: @escaping @Sendable () -> StoreActivity = { StoreActivity() }
    ) {
        self.init(log, entry: entry, within: QuestionLimits(), activity: activity)
    }

    /// Creates what a page asks of a log that answers within limits.
    package init(
        _ log: any InspectedLog, entry: Int?, within limits: QuestionLimits,
        activity: @escaping @Sendable () -> StoreActivity
    ) {
        self.log = log
        self.entry = entry ?? log.summary.shownID
        self.limits = limits
        look = activity
    }

    /// What the store does besides its log, now.
    ///
    /// - Complexity: That of ``InspectedStore/activity``, each time.
    public var activity: StoreActivity { look() }

    /// Whether the time for the answer is over: then whatever the page returns is not shown.
    ///
    /// A page that takes long without asking the log looks at it now and then.
    public var isOver: Bool { limits.isOver }

    /// Returns the state after the selected entry.
    ///
    /// A page of an app that connects is asked in the app, where its store is.
    ///
    /// - Parameter type: The type of the store's state.
    /// - Returns: The state; nil for a store of another type of state, one that lives elsewhere, and an
    ///   entry that is gone.
    /// - Complexity: O(entries since the last state that the log keeps).
    public func state<State: Sendable>(as type: State.Type = State.self) -> State? {
        guard let log = log as? InspectedHistory<State> else { return nil }
        return log.moment(after: entry).map { log.state(at: $0) }
    }
}
