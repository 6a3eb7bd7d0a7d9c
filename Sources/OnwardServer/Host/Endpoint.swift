// SPDX-License-Identifier: MIT
#if Server

/// Answers for programs below a path of a ``PageServer``, beside its pages.
///
/// ```swift
/// let endpoint = Endpoint("/api/") { request in
///     .init(contentType: "application/json", bytes: Array(#"{"path": "\#(request.path)"}"#.utf8))
/// }
/// ```
///
/// The server's checks hold here as well: host names, the access token, and for a POST its origin. A POST has to be of
/// the type `application/json`, which a form of a foreign site can't send.
public struct Endpoint: Sendable {
    /// What is asked.
    public struct Request: Sendable, Hashable {
        /// How it is asked.
        public enum Method: Sendable, Hashable {
            /// A question, which changes nothing.
            case get
            /// A command.
            case post
        }

        /// How it is asked.
        public let method: Method
        /// What stands behind the endpoint's path, as it came, with the query.
        public let path: String
        /// The body of a POST.
        public let body: [UInt8]

        /// A request, for tests of what answers it.
        public init(_ method: Method, _ path: String, body: [UInt8] = []) {
            self.method = method
            self.path = path
            self.body = body
        }
    }

    /// What is answered.
    public struct Answer: Sendable, Hashable {
        /// The status code.
        public let status: Int
        /// The media type.
        public let contentType: String
        /// The content.
        public let bytes: [UInt8]
        /// The name under which a browser stores it; nil to show it.
        public let fileName: String?

        /// An answer.
        ///
        /// - Parameters:
        ///   - status: The status code.
        ///   - contentType: The media type.
        ///   - bytes: The content.
        ///   - fileName: The name under which a browser stores it: letters, digits and `-_.`; others are left out.
        public init(
            status: Int = 200, contentType: String, bytes: [UInt8], fileName: String? = nil
        ) {
            self.status = status
            self.contentType = contentType
            self.bytes = bytes
            self.fileName = fileName
        }
    }

    private(set) var path: String
    let bodyLimit: Int
    let answer: @Sendable (Request) async throws -> Answer

    /// An endpoint.
    ///
    /// - Parameters:
    ///   - path: Where it is served, beginning and ending with `/`.
    ///   - bodyLimit: The largest body of a POST, in bytes.
    ///   - answer: Answers a request. Called on the server's threads, several at once; what it throws is
    ///     answered with 500 and logged.
    public init(
        _ path: String, bodyLimit: Int = 64 << 10,
        answer: @escaping @Sendable (Request) async throws -> Answer
    ) {
        self.path = path
        self.bodyLimit = bodyLimit
        self.answer = answer
    }

    /// The endpoint below a path.
    func mounted(at root: String) -> Endpoint {
        var endpoint = self
        endpoint.path = root + path
        return endpoint
    }
}
#endif
