// SPDX-License-Identifier: MIT
#if Server

/// Files that are looked up on request, such as pictures from a cache.
///
/// ```swift
/// let covers = AssetFolder("/covers/") { name in
///     await cache.picture(named: name).map {
///         .init(Asset(path: name, contentType: "image/png", bytes: $0.bytes), tag: $0.digest)
///     }
/// }
/// ```
///
/// They are served like other answers: under the page's content-security policy, and without the
/// browser guessing their type. Give content that comes from others a type that can't hold a script.
public struct AssetFolder: Sendable {
    /// A file that was found.
    public struct File: Sendable, Hashable {
        /// Type and content; the path counts for nothing.
        public let asset: Asset
        /// Names the content in the header `ETag`; letters, digits and `-_.` only.
        public let tag: String?
        /// For how long a browser may use it without asking; nil if it must not keep it.
        public let maximumAge: Duration?

        /// A file.
        ///
        /// - Parameters:
        ///   - asset: Type and content.
        ///   - tag: Names the content; different content, different tag.
        ///   - maximumAge: For how long a browser may use it without asking.
        public init(_ asset: Asset, tag: String? = nil, maximumAge: Duration? = nil) {
            self.asset = asset
            self.tag = tag
            self.maximumAge = maximumAge
        }
    }

    private(set) var path: String
    let find: @Sendable (_ name: String, _ visitors: [VisitorID]) async throws -> File?

    /// A folder.
    ///
    /// - Parameters:
    ///   - path: Where it is served, beginning and ending with `/`.
    ///   - find: Finds the file of a name, decoded: any text but `.` and `..`, without slashes and control
    ///     characters; nil is answered with 404. Called on the server's threads, several at once.
    public init(
        _ path: String, find: @escaping @Sendable (_ name: String) async throws -> File?
    ) {
        self.init(path) { name, _ in try await find(name) }
    }

    /// A folder in which each visitor has files of its own.
    ///
    /// - Parameters:
    ///   - path: Where it is served, beginning and ending with `/`.
    ///   - find: As for the folder that is the same for all, but also with the visitors that the request's cookies
    ///     name: one, or none, or several where another program set such a cookie, too. Whoever has the cookie is
    ///     the visitor; whether there is one of that name is for the app to know.
    public init(
        _ path: String,
        find: @escaping @Sendable (_ name: String, _ visitors: [VisitorID]) async throws -> File?
    ) {
        self.path = path
        self.find = find
    }

    /// The folder below a path.
    func mounted(at root: String) -> AssetFolder {
        var folder = self
        folder.path = root + path
        return folder
    }
}
#endif
