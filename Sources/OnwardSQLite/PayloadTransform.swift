// SPDX-License-Identifier: MIT
#if SQLite

/// A pair of functions that transform payloads on their way to a file and back, to compress or
/// encrypt them.
///
/// Names, times, addresses and origins stay readable.
public struct PayloadTransform: Sendable {
    /// The name that the journal remembers, so that it isn't opened with another transform.
    public let name: String
    let write: @Sendable ([UInt8]) throws -> [UInt8]
    let read: @Sendable ([UInt8]) throws -> [UInt8]

    /// Creates a transform from two functions; both are called on the journal's own queue.
    ///
    /// - Parameters:
    ///   - name: Names the functions, with their version and the name of a key, never the key
    ///     itself.
    ///   - write: Returns what the file stores for a payload.
    ///   - read: Returns the payload for what `write` has returned; throws for anything else.
    public init(
        _ name: String, write: @escaping @Sendable ([UInt8]) throws -> [UInt8],
        read: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) {
        self.name = name
        self.write = write
        self.read = read
    }
}
#endif
