// SPDX-License-Identifier: MIT
#if Server

/// Answers for programs, below a path of a ``PageServer`` and beside its pages.
///
/// ```swift
/// let endpoint = Endpoint("/api/") { request in
///     .init(contentType: "application/json", bytes: Array(#"{"path": "\#(request.path)"}"#.utf8))
/// }
/// ```
///
/// The server's checks apply here as well: host names, the access token and the origin, so that no
/// page of a foreign site can ask. Who follows a link of another site gets a page with a link to
/// go on. A POST must have the type `application/json`, which a form of a foreign site can't send.
public struct Endpoint: Sendable {
    /// A request to an endpoint.
    public struct Request: Sendable, Hashable {
        /// The method of a request.
        public enum Method: Sendable, Hashable {
            /// A query, which changes nothing.
            case get
            /// A command.
            case post
        }

        /// The method of the request.
        public let method: Method
        /// The part of the URL after the endpoint's path, undecoded, with the query.
        public let path: String
        /// The body of a POST.
        public let body: [UInt8]

        /// Creates a request, for tests of the code that answers it.
        public init(_ method: Method, _ path: String, body: [UInt8] = []) {
            self.method = method
            self.path = path
            self.body = body
        }
    }

    /// The answer to a request.
    public struct Answer: Sendable, Hashable {
        /// The status code.
        public let status: Int
        /// The media type.
        public let contentType: String
        /// The content.
        public let bytes: [UInt8]
        /// The file name for a browser to store it under; nil to show it.
        public let fileName: String?

        /// Creates an answer.
        ///
        /// - Parameters:
        ///   - status: The status code.
        ///   - contentType: The media type.
        ///   - bytes: The content.
        ///   - fileName: The file name for a browser to store it under: letters, digits and `-_.`;
        ///     other characters are dropped.
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

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - path: The path at which it is served, beginning and ending with `/`.
    ///   - bodyLimit: The largest body of a POST, in bytes.
    ///   - answer: Answers a request. Called on the server's threads, concurrently, in a task that
    ///     is cancelled when the sender leaves; errors it throws are answered with 500 and logged.
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
