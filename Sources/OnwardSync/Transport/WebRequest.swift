// SPDX-License-Identifier: MIT

/// What a client posts to the endpoint of a server.
enum WebRequest {
    /// What it is, which is the end of the path.
    enum Path: String {
        /// The client's token; the answer is a stream of ``WebFrames``.
        case stream
        /// The text that names the connection, then a message.
        case message
        /// The text that names the connection, which the server is to end.
        case end
    }

    /// A type that no form of a foreign site can send.
    static let contentType = "application/octet-stream"

    /// How long the text is that names a connection.
    static let idLength = 32

    static func body(_ id: ClientID, _ message: [UInt8] = []) -> [UInt8] {
        Array(id.description.utf8) + message
    }

    /// The connection and the message; nil if the body has none.
    static func parts(of body: [UInt8]) -> (ClientID, [UInt8])? {
        guard let text = String(validating: body.prefix(idLength), as: UTF8.self),
            let id = ClientID(text)
        else { return nil }
        return (id, Array(body.dropFirst(idLength)))
    }
}
