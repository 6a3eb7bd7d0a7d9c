// SPDX-License-Identifier: MIT

/// A store that is inspected: its log, to be asked, and what steers it.
///
/// Of any thread. An app's own stores are attached by `Inspector.attach` of `OnwardInspector`, or to an
/// ``InspectorConnection``.
public protocol InspectedStore: Sendable {
    /// The log as it is now.
    ///
    /// - Complexity: O(1) for a store of this process.
    var log: any InspectedLog { get }

    /// How long the log is now, and what is shown.
    var summary: LogSummary { get }

    /// The names of the actions that can be dispatched, sorted.
    var actionNames: [String] { get }

    /// The actions that can be dispatched, with their fields.
    var actionForms: [ActionForm] { get }

    /// What the store is doing besides its log.
    ///
    /// - Complexity: O(effects, subscribers and selectors in use), at most about 10,000 subscribers.
    var activity: StoreActivity { get }

    /// Whether the store has ended: its log can be read, and nothing more comes.
    var isEnded: Bool { get }

    /// Does what a command says.
    ///
    /// - Throws: ``InspectorError`` where nothing was done.
    func perform(_ command: InspectorCommand) throws(InspectorError)

    /// The log as a file of Redux DevTools.
    ///
    /// - Throws: ``InspectorError`` for states or actions that are not `Codable`.
    func file() throws(InspectorError) -> [UInt8]

    /// Shows the log of a file of Redux DevTools in place of what was recorded.
    ///
    /// - Throws: ``InspectorError`` that names the action or the field; nothing has changed then.
    func load(_ file: [UInt8]) throws(InspectorError)
}

/// A store that lives elsewhere, where the questions of the interface are answered.
package protocol DistantStore: InspectedStore {
    /// Grows when something else may be shown, also where the log is as it was.
    var arrivals: Int { get }

    /// The log as the store said last, which may be newer than what is shown.
    var newest: LogSummary { get }

    /// What is wrong with the store, or with the last command, in a sentence; nil if nothing is.
    var notice: String? { get }

    /// Answers a request, whose path begins behind the name of the store.
    func answer(_ request: InspectorRequest) async -> InspectorReply
}

extension InspectedStore {
    /// Nothing is known of fields.
    public var actionForms: [ActionForm] { [] }
    /// It goes on.
    public var isEnded: Bool { false }
    /// Nothing is known of it.
    public var activity: StoreActivity { StoreActivity() }
}
