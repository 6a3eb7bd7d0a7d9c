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
/// go on. A POST must have the type `application/json`, or another that a form of a foreign site can't
/// send.
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
        /// What follows for as long as it lasts; nil if the content is all.
        public let stream: Stream?

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
            stream = nil
        }

        /// Creates an answer that goes on.
        ///
        /// - Parameters:
        ///   - contentType: The media type.
        ///   - stream: What is sent; a stream is of one answer.
        public init(contentType: String, stream: Stream) {
            status = 200
            self.contentType = contentType
            bytes = []
            fileName = nil
            self.stream = stream
        }
    }

    private(set) var path: String
    let contentType: String
    let bodyLimit: Int
    let answer: @Sendable (Request) async throws -> Answer

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - path: The path at which it is served, beginning and ending with `/`.
    ///   - contentType: The type of a POST, in lower case: one that a form can't send.
    ///   - bodyLimit: The largest body of a POST, in bytes.
    ///   - answer: Answers a request. Called on the server's threads, concurrently, in a task that
    ///     is cancelled when the sender leaves; errors it throws are answered with 500 and logged.
    public init(
        _ path: String, accepting contentType: String = "application/json",
        bodyLimit: Int = 64 << 10,
        answer: @escaping @Sendable (Request) async throws -> Answer
    ) {
        precondition(
            !Self.formTypes.contains(contentType),
            "An endpoint can't accept \"\(contentType)\": a form of a foreign site could send it.")
        self.path = path
        self.contentType = contentType
        self.bodyLimit = bodyLimit
        self.answer = answer
    }

    /// What a browser sends for any site without asking (Fetch Standard § 2.2.2).
    private static let formTypes: Set<String> = [
        "application/x-www-form-urlencoded", "multipart/form-data", "text/plain",
    ]

    /// The endpoint below a path.
    func mounted(at root: String) -> Endpoint {
        var endpoint = self
        endpoint.path = root + path
        return endpoint
    }
}
#endif
