// SPDX-License-Identifier: MIT

import Foundation

/// The address of a server: http or https, a host, maybe a port and a path.
public struct ServerAddress: Sendable, LosslessStringConvertible {
    /// The address without a slash at its end.
    public let description: String

    /// Reads an address; nil for one of another kind, or with a user, a query or a fragment.
    public init?(_ description: String) {
        guard let parts = URLComponents(string: description),
            ["http", "https"].contains(parts.scheme),
            parts.host?.isEmpty == false, parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil
        else { return nil }
        var text = description[...]
        while text.last == "/" { text = text.dropLast() }
        self.description = String(text)
    }
}
