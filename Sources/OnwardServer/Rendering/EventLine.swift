// SPDX-License-Identifier: MIT
#if Server

import FoundationEssentials

/// One `data` line of an event: JSON, and therefore without line breaks.
enum EventLine {
    static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts and lists of texts always encode.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    /// The line that lists the fragments of a page in order.
    static func keys(_ keys: [String]) -> String { encode(["keys": keys]) }
}
#endif
