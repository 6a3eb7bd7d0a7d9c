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

    func check(_ input: [UInt8]) throws(DataError) {
        guard input.count <= bytes else {
            throw DataError(
                .tooLarge, at: 0, "\(input.count) bytes are more than the limit of \(bytes)")
        }
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
        guard depth < self.depth else {
            throw DataError(
                .tooDeep, at: 0, "The value is nested deeper than \(self.depth) levels")
        }
        count += more
        guard count <= elements else {
            throw DataError(.tooLarge, at: 0, "There are more than \(elements) values")
        }
    }
}
