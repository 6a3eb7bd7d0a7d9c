// SPDX-License-Identifier: MIT

/// How much is read before it is refused, and written, so that nothing is written that would be refused.
public struct DataLimits: Sendable, Hashable {
    /// The most bytes of one input.
    public var bytes: Int
    /// How deep lists and objects may be nested, at most ``deepest``.
    public var depth: Int
    /// The most values in lists and objects together.
    public var elements: Int

    /// The deepest nesting that is ever read or written: what the stack of a small thread holds.
    public static let deepest = 128

    /// Limits, by default those of a payload: 16 MiB, 64 levels, 1,000,000 values.
    public init(bytes: Int = 16 << 20, depth: Int = 64, elements: Int = 1_000_000) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
    }

    /// How deep lists and objects may really be nested.
    var levels: Int { min(depth, Self.deepest) }

    func check(_ input: [UInt8]) throws(DataError) {
        guard input.count <= bytes else { throw .tooManyBytes(input.count, limit: bytes) }
    }

    /// Checks a value that is going to be written, so that what can't be read again isn't.
    func check(_ value: DataValue) throws(DataError) {
        var count = 0
        try check(value, after: &count)
    }

    /// Checks one of several values that are going to be written together, after `count` others.
    func check(_ value: DataValue, after count: inout Int) throws(DataError) {
        try check(value, depth: 0, &count)
    }

    private func check(_ value: DataValue, depth: Int, _ count: inout Int) throws(DataError) {
        switch value {
        case .list(let values):
            try enter(depth, values.count, &count)
            for value in values { try check(value, depth: depth + 1, &count) }
        case .object(let fields):
            try enter(depth, fields.count, &count)
            for value in fields.values { try check(value, depth: depth + 1, &count) }
        default: break
        }
    }

    private func enter(_ depth: Int, _ more: Int, _ count: inout Int) throws(DataError) {
        guard depth < levels else { throw .tooDeep(levels) }
        count += more
        guard count <= elements else { throw .tooManyValues(limit: elements) }
    }
}
