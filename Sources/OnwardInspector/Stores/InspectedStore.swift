// SPDX-License-Identifier: MIT
#if Inspector

/// A store that is inspected: its log, to be asked, and what steers it.
///
/// Of any thread. An app's own stores are attached by `Inspector.attach`; one that lives in another process
/// can stand behind this protocol as well.
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
    /// - Complexity: O(effects and selectors in use).
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

extension InspectedStore {
    /// Nothing is known of fields.
    public var actionForms: [ActionForm] { [] }
    /// It goes on.
    public var isEnded: Bool { false }
    /// Nothing is known of it.
    public var activity: StoreActivity { StoreActivity() }
}
#endif
