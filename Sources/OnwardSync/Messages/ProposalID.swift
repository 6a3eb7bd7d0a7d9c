// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// Identifies one run of a client: a program that starts takes a new id for what it will propose.
///
/// What an earlier run has left keeps the id of that run. So a device that was restored from a
/// backup never gives a number that its original gave as well.
public struct ClientID: Sendable, Hashable, Codable, CustomStringConvertible {
    private let id: EntryID

    /// A new random id.
    public init() { id = EntryID() }

    /// Creates an id that was read from somewhere, or one of a numbered sequence.
    public init(high: UInt64, low: UInt64) { id = EntryID(high: high, low: low) }

    /// Parses what ``description`` returns; nil for any other text.
    public init?(_ text: some StringProtocol) {
        guard let id = EntryID(text) else { return nil }
        self.id = id
    }

    /// 32 hexadecimal digits.
    public var description: String { id.description }

    /// Reads the text form; throws `DecodingError.dataCorrupted` for any other text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = ClientID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a client's id has 32 hexadecimal digits")
        }
        self = id
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Identifies what a client proposes: the same however often it is sent.
public struct ProposalID: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The run of the client.
    public let client: ClientID
    /// The number within that run, from 1.
    public let number: UInt64

    /// Creates an id.
    public init(client: ClientID, number: UInt64) {
        self.client = client
        self.number = number
    }

    /// The client's id and the number, separated by a dash.
    public var description: String { "\(client)-\(number)" }
}
