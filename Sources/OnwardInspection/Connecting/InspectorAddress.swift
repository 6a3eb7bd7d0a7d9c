// SPDX-License-Identifier: MIT

internal import Foundation

/// Where an inspector is, and the token that it requires.
package struct InspectorAddress: Sendable, Hashable {
    /// The address without a slash at its end.
    package let base: String
    /// The access token, or the code that was shown.
    package let token: String?

    /// Parses an address such as `http://192.168.1.20:8081/?token=K7Q2-9XMD`; nil if it is invalid.
    ///
    /// - Parameters:
    ///   - text: The address of an inspector's page.
    ///   - token: The access token, if the address has none.
    package init?(_ text: String, token: String? = nil) {
        guard
            let parts = URLComponents(string: text.trimmingCharacters(in: .whitespacesAndNewlines)),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = parts.host, !host.isEmpty
        else { return nil }
        let own = parts.queryItems?.first { $0.name == "token" }?.value
        self.token = [own, token].compactMap { $0 }.first { !$0.isEmpty }
        var plain = parts
        (plain.query, plain.fragment, plain.scheme) = (nil, nil, scheme)
        guard let base = plain.url?.absoluteString else { return nil }
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// Reads the address from the environment; nil if there is none.
    ///
    /// - Parameter environment: `ONWARD_INSPECTOR` is the address, `ONWARD_INSPECTOR_TOKEN` its
    ///   token.
    package init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let text = environment["ONWARD_INSPECTOR"] else { return nil }
        self.init(text, token: environment["ONWARD_INSPECTOR_TOKEN"])
    }
}
