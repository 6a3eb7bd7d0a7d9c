// SPDX-License-Identifier: MIT

package import Onward
package import OnwardJournal

/// An action as bytes, before it has a position in a log.
package struct ActionDraft: Sendable, Hashable {
    package var name: String
    package var schema: Int
    package var payload: [UInt8]
    package var address: Address
    package var origin: ActionOrigin

    package init(
        name: String, schema: Int = 1, payload: [UInt8] = [], address: Address = .root,
        origin: ActionOrigin = ActionOrigin()
    ) {
        self.name = name
        self.schema = schema
        self.payload = payload
        self.address = address
        self.origin = origin
    }
}

extension ActionDraft {
    /// The action of an entry.
    package init(_ entry: JournalEntry) {
        self.init(
            name: entry.name, schema: entry.schema, payload: entry.payload,
            address: entry.address, origin: entry.origin)
    }
}

extension ActionDraft {
    var value: DataValue {
        [
            "name": .text(name), "schema": DataValue(schema), "payload": .bytes(payload),
            "address": .text(address.description), "file": .text(origin.file),
            "line": DataValue(origin.line),
        ]
    }

    init?(_ value: DataValue) {
        guard let name = value["name"]?.text, let schema = value["schema"]?.integer(as: Int.self),
            case .bytes(let payload)? = value["payload"],
            let address = value["address"]?.text.flatMap({ Address($0) }),
            let file = value["file"]?.text, let line = value["line"]?.integer(as: Int.self)
        else { return nil }
        self.init(
            name: name, schema: schema, payload: payload, address: address,
            origin: ActionOrigin(file: file, line: line))
    }
}

/// What the machines of a cluster need of a store's features.
package protocol ClusterFeatures: Sendable {
    associatedtype State: Sendable

    /// The state before the first entry.
    var initial: State { get }
    /// Identifies nodes that have the same features.
    var fingerprint: FeatureFingerprint { get }

    /// Returns what the middleware makes of an action; may be called again for the same action.
    ///
    /// - Returns: The actions to append, all or none; empty if it is withheld.
    /// - Throws: What is wrong with an unreadable action; it comes from outside.
    func decide(
        _ action: ActionDraft, on state: State
    ) throws(JournalError) -> [ActionDraft]

    /// The same with the reason, where a check refuses it.
    func decision(
        about action: ActionDraft, on state: State
    ) throws(JournalError) -> (actions: [ActionDraft], failure: FailedProposal?)

    /// Whether an action begins durable work, which is restarted until its end is an entry.
    func beginsWork(_ action: ActionDraft) -> Bool

    /// Folds an entry.
    func reduce(_ entry: JournalEntry, into state: inout State) throws(JournalError)

    /// Encodes a state for a snapshot.
    func value(of state: State) throws(JournalError) -> DataValue

    /// Decodes the state of a snapshot.
    func state(of value: DataValue) throws(JournalError) -> State
}

extension ClusterFeatures {
    /// By default, nothing is checked.
    package func decision(
        about action: ActionDraft, on state: State
    ) throws(JournalError) -> (actions: [ActionDraft], failure: FailedProposal?) {
        (try decide(action, on: state), nil)
    }

    /// By default, no action does.
    package func beginsWork(_ action: ActionDraft) -> Bool { false }
}
