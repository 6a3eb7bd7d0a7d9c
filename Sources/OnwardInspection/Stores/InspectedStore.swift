// SPDX-License-Identifier: MIT

package import OnwardJournal

/// A store that is inspected: its log, for queries, and its controls.
///
/// It may be used from any thread. Attach an app's own stores with `Inspector.attach` of
/// `OnwardInspector`, or to an ``InspectorConnection``.
public protocol InspectedStore: Sendable {
    /// The current log.
    ///
    /// - Complexity: O(1) for a store of this process.
    var log: any InspectedLog { get }

    /// The current length of the log, and what is shown.
    var summary: LogSummary { get }

    /// The names of the actions that can be dispatched, sorted.
    var actionNames: [String] { get }

    /// The actions that can be dispatched, with their fields.
    var actionForms: [ActionForm] { get }

    /// What the store is doing besides its log.
    ///
    /// - Complexity: O(effects, subscribers and selectors in use), for at most about 10,000
    ///   subscribers.
    var activity: StoreActivity { get }

    /// The pages that this store alone has.
    var pages: [InspectorPage] { get }

    /// Whether the store has ended: its log can be read, but won't grow.
    var isEnded: Bool { get }

    /// Performs a command.
    ///
    /// - Throws: ``InspectorError`` if nothing was done.
    func perform(_ command: InspectorCommand) throws(InspectorError)

    /// Returns the log as a file of Redux DevTools.
    ///
    /// - Throws: ``InspectorError`` for states or actions that are not `Codable`.
    func file() throws(InspectorError) -> [UInt8]

    /// Replaces what was recorded with the log of a Redux DevTools file.
    ///
    /// - Throws: ``InspectorError``, naming the action or the field; then nothing has changed.
    func load(_ file: [UInt8]) throws(InspectorError)
}

/// A store of this process, whose questions are answered within limits.
package protocol OwnStore: InspectedStore {
    /// Grows when a search for a shortest test gets further.
    var searchRevision: Int { get }

    /// Begins the search for a shortest test, or goes on with it for the next three seconds.
    ///
    /// - Parameters:
    ///   - moment: The moment that has the value.
    ///   - path: The part of the state that must be as it is then.
    /// - Returns: How far it is.
    func askForShortestTest(to moment: Int, keeping path: DataPath) -> ShortestTest

    /// Finds a shortest test; given up when the calling task is cancelled.
    func shortestTest(
        to moment: Int, keeping path: DataPath
    ) async throws(InspectorError) -> FoundTest

    /// Returns the log as a file of Redux DevTools.
    func file(within limits: QuestionLimits) throws(InspectorError) -> [UInt8]
}

/// A store that lives elsewhere, where the interface's questions are answered.
package protocol DistantStore: InspectedStore {
    /// Grows when something else may be shown, even if the log is unchanged.
    var arrivals: Int { get }

    /// The log as the store last reported it, which may be newer than what is shown.
    var newest: LogSummary { get }

    /// The name of the app that has it; nil if it is unknown.
    var app: String? { get }

    /// What is wrong with the store, or with the last command, in a sentence; nil if nothing is.
    var notice: String? { get }

    /// Answers a request, whose path begins after the name of the store.
    func answer(_ request: InspectorRequest) async -> InspectorReply
}

extension InspectedStore {
    /// No forms, since nothing is known of fields.
    public var actionForms: [ActionForm] { [] }
    /// No pages but those of each store.
    public var pages: [InspectorPage] { [] }
    /// By default, a store has not ended.
    public var isEnded: Bool { false }
    /// No activity, since nothing is known of it.
    public var activity: StoreActivity { StoreActivity() }
}
