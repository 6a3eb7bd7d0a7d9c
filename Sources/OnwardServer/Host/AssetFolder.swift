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
/// The files are served like other answers: under the page's content-security policy, and without
/// the browser guessing their type. Give content from others a type that can't contain a script.
public struct AssetFolder: Sendable {
    /// A file that was found.
    public struct File: Sendable, Hashable {
        /// The type and content; the path is ignored.
        public let asset: Asset
        /// Identifies the content in the `ETag` header; letters, digits and `-_.` only.
        public let tag: String?
        /// How long a browser may use it without asking; nil if it must not keep it.
        public let maximumAge: Duration?

        /// Creates a file.
        ///
        /// - Parameters:
        ///   - asset: The type and content.
        ///   - tag: Identifies the content; different content needs a different tag.
        ///   - maximumAge: How long a browser may use it without asking.
        public init(_ asset: Asset, tag: String? = nil, maximumAge: Duration? = nil) {
            self.asset = asset
            self.tag = tag
            self.maximumAge = maximumAge
        }
    }

    private(set) var path: String
    let find: @Sendable (_ name: String, _ visitors: [VisitorID]) async throws -> File?

    /// Creates a folder.
    ///
    /// - Parameters:
    ///   - path: The path at which it is served, beginning and ending with `/`.
    ///   - find: Finds the file for a decoded name: any text but `.` and `..`, without slashes and
    ///     control characters; nil is answered with 404. Called on the server's threads,
    ///     concurrently.
    public init(
        _ path: String, find: @escaping @Sendable (_ name: String) async throws -> File?
    ) {
        self.init(path) { name, _ in try await find(name) }
    }

    /// Creates a folder in which each visitor has their own files.
    ///
    /// - Parameters:
    ///   - path: The path at which it is served, beginning and ending with `/`.
    ///   - find: Like that of a folder shared by all, but also receives the visitors that the
    ///     request's cookies name: one, or none, or several if another program set such a cookie as
    ///     well. Whoever has the cookie is the visitor; whether a visitor of that name exists is
    ///     for the app to decide.
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
