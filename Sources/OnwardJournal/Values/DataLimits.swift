// SPDX-License-Identifier: MIT

/// How much is read from outside before it is refused.
public struct DataLimits: Sendable, Hashable {
    /// The most bytes of one input.
    public var bytes: Int
    /// How deep lists and objects may be nested.
    public var depth: Int
    /// The most values in lists and objects together.
    public var elements: Int

    /// Limits, by default those of a payload: 16 MiB, 64 levels, 1,000,000 values.
    public init(bytes: Int = 16 << 20, depth: Int = 64, elements: Int = 1_000_000) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
    }
}
