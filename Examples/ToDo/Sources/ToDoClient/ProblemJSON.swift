// SPDX-License-Identifier: MIT

import Foundation

/// What a server says about a refusal (RFC 9457), as far as a user is shown it.
struct ProblemJSON: Decodable {
    private struct Flaw: Decodable { let detail: String? }

    private let title: String?
    private let detail: String?
    private let errors: [Flaw]?

    /// One or more sentences, not too long; nil if the body has none.
    static func reason(in body: Data) -> String? {
        let problem = try? JSONDecoder().decode(Self.self, from: body)
        let flaws = problem?.errors?.compactMap(\.detail).joined(separator: " ") ?? ""
        let text = flaws.isEmpty ? problem?.detail ?? problem?.title ?? "" : flaws
        return text.isEmpty
            ? nil : String(String.UnicodeScalarView(text.unicodeScalars.prefix(300)))
    }
}
