// SPDX-License-Identifier: MIT

/// A request to the interface for programs, whatever its transport.
package struct InspectorRequest: Sendable, Hashable {
    /// The method of a request.
    package enum Method: String, Sendable, Hashable, Codable {
        /// A query, which changes nothing.
        case get
        /// A command.
        case post
    }

    /// The method of the request.
    package let method: Method
    /// The part of the URL after `/api/v1/`, with the query.
    package let path: String
    /// The body of a command.
    package let body: [UInt8]

    package init(_ method: Method, _ path: String, body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.body = body
    }
}

/// The answer of the interface: JSON.
package struct InspectorReply: Sendable, Hashable {
    /// The HTTP status code.
    package let status: Int
    /// JSON.
    package let bytes: [UInt8]
    /// The file name for a browser to store it under; nil to show it.
    package let fileName: String?

    package init(status: Int = 200, bytes: [UInt8], fileName: String? = nil) {
        self.status = status
        self.bytes = bytes
        self.fileName = fileName
    }
}
