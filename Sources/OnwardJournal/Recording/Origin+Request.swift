// SPDX-License-Identifier: MIT

package import Onward

extension ActionOrigin {
    /// The file for the origin of an action that came with a request, naming that request.
    ///
    /// - Parameters:
    ///   - id: The id of the request, without spaces.
    ///   - page: The path of the page that sent it, of which the first 200 characters are kept,
    ///     without a query.
    /// - Returns: The text for ``ActionOrigin/file``, with the line 0.
    package static func file(ofRequest id: String, from page: String) -> String {
        let path = page.prefix { $0 != "?" }.prefix(200)
        return path.isEmpty ? requestPrefix + id : "\(requestPrefix)\(id) \(path)"
    }

    /// The request that an action came with, and the path of the page that sent it (empty if
    /// unknown); nil for an action of the program's own.
    package var request: (id: String, page: String)? {
        guard line == 0, file.hasPrefix(Self.requestPrefix) else { return nil }
        let parts = file.dropFirst(Self.requestPrefix.count).split(separator: " ", maxSplits: 1)
        guard let id = parts.first else { return nil }
        return (String(id), parts.count == 2 ? String(parts[1]) : "")
    }

    private static var requestPrefix: String { "request " }
}
