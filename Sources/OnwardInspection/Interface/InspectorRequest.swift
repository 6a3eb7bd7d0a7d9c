// SPDX-License-Identifier: MIT

/// A request to the interface for programs, however it came.
package struct InspectorRequest: Sendable, Hashable {
    /// How it is asked.
    package enum Method: String, Sendable, Hashable, Codable {
        /// A question, which changes nothing.
        case get
        /// A command.
        case post
    }

    /// How it is asked.
    package let method: Method
    /// What stands behind `/api/v1/`, with the query.
    package let path: String
    /// The body of a command.
    package let body: [UInt8]

    package init(_ method: Method, _ path: String, body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.body = body
    }
}

/// What the interface answers: JSON.
package struct InspectorReply: Sendable, Hashable {
    /// The status code of HTTP.
    package let status: Int
    /// JSON.
    package let bytes: [UInt8]
    /// The name under which a browser stores it; nil to show it.
    package let fileName: String?

    package init(status: Int = 200, bytes: [UInt8], fileName: String? = nil) {
        self.status = status
        self.bytes = bytes
        self.fileName = fileName
    }
}
