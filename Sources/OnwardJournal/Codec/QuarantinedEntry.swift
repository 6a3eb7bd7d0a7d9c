// SPDX-License-Identifier: MIT

/// An entry that could not be decoded and was left out.
public struct QuarantinedEntry: Sendable, CustomStringConvertible {
    /// The entry as the journal keeps it.
    public let entry: JournalEntry
    /// Why it cannot be decoded, and how to fix it.
    public let error: JournalError
    /// The payload in readable form: JSON, or hexadecimal digits if it is broken.
    public let payload: String

    init(_ entry: JournalEntry, because error: JournalError, _ format: DataFormat) {
        self.entry = entry
        self.error = error
        if let value = try? format.value(of: entry.payload) {
            payload = String(decoding: DataFormat.json.bytes(of: value), as: UTF8.self)
        } else {
            payload = entry.payload.prefix(1_024)
                .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }

    /// The reason and the payload.
    public var description: String { "\(error) Its payload: \(payload)" }
}
