// SPDX-License-Identifier: MIT

internal import OnwardJournal

/// What a client posts to the endpoint of a server.
struct WebRequest: Codable, Sendable {
    /// Who the client is, when it connects.
    var token: String?
    /// The connection, afterwards.
    var connection: String?
    /// What is sent; nil to wait for what comes.
    var message: [UInt8]?
}

/// What the endpoint answers.
struct WebAnswer: Codable, Sendable {
    var connection: String?
    var messages: [[UInt8]] = []
}

/// How both are written.
enum WebMessage {
    static func bytes(of message: some Encodable) -> [UInt8] {
        (try? DataValue(encoding: message)).map { DataFormat.json.bytes(of: $0) } ?? []
    }

    static func read<Message: Decodable>(
        _ type: Message.Type, _ bytes: [UInt8], limit: Int
    ) throws(SyncMessageError) -> Message {
        do {
            let limits = DataLimits(bytes: limit, depth: 8, elements: 100_000)
            return try DataFormat.json.value(of: bytes, limits: limits).decoded()
        } catch {
            throw SyncMessageError(.malformed, "It is no message of a synced store: \(error)")
        }
    }

    /// How long a text is for so many bytes, with what is around it.
    static func length(of bytes: Int) -> Int { bytes / 3 * 4 + 4_096 }
}
