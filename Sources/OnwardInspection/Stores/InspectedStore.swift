// SPDX-License-Identifier: MIT

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

/// A store that lives elsewhere, where the interface's questions are answered.
package protocol DistantStore: InspectedStore {
    /// Grows when something else may be shown, even if the log is unchanged.
    var arrivals: Int { get }

    /// The log as the store last reported it, which may be newer than what is shown.
    var newest: LogSummary { get }

    /// What is wrong with the store, or with the last command, in a sentence; nil if nothing is.
    var notice: String? { get }

    /// Answers a request, whose path begins after the name of the store.
    func answer(_ request: InspectorRequest) async -> InspectorReply
}

extension InspectedStore {
    /// No forms, since nothing is known of fields.
    public var actionForms: [ActionForm] { [] }
    /// By default, a store has not ended.
    public var isEnded: Bool { false }
    /// No activity, since nothing is known of it.
    public var activity: StoreActivity { StoreActivity() }
}
