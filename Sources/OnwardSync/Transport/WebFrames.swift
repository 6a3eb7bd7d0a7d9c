// SPDX-License-Identifier: MIT

/// How messages are written to a stream over HTTP: each after its length, in four bytes.
///
/// The first one is the text that names the connection. One without content is a sign of life.
struct WebFrames: Sendable {
    /// The largest message that is read.
    private let limit: Int
    private var unread: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    static let signOfLife: [UInt8] = [0, 0, 0, 0]

    /// What comes before a message.
    static func head(of message: [UInt8]) -> [UInt8] {
        let length = UInt32(message.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    }

    /// Takes what has come, and returns the messages that are complete by now.
    ///
    /// - Complexity: O(bytes), amortized.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(SyncMessageError) -> [[UInt8]] {
        unread.append(contentsOf: bytes)
        var messages: [[UInt8]] = []
        var start = 0
        while unread.count - start >= 4 {
            let length = unread[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= limit else {
                throw SyncMessageError(
                    .tooLarge, "A message has \(length) bytes; at most \(limit) are read.")
            }
            let end = start + 4 + length
            guard unread.count >= end else { break }
            if length > 0 { messages.append(Array(unread[start + 4..<end])) }
            start = end
        }
        unread.removeFirst(start)
        return messages
    }
}
