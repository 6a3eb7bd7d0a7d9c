// SPDX-License-Identifier: MIT

/// How much is read before it is refused; the same limits apply to writing, so that it can be read.
public struct DataLimits: Sendable, Hashable {
    /// The maximum number of bytes in one input.
    public var bytes: Int
    /// How deeply lists and objects may be nested, at most ``deepest``.
    public var depth: Int
    /// The maximum number of values in all lists and objects together.
    public var elements: Int

    /// The deepest nesting that is ever read or written: what fits on the stack of a small thread.
    public static let deepest = 128

    /// Creates limits, by default those of a payload: 16 MiB, 64 levels, 1,000,000 values.
    public init(bytes: Int = 16 << 20, depth: Int = 64, elements: Int = 1_000_000) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
    }

    /// How deeply lists and objects may actually be nested.
    var levels: Int { min(depth, Self.deepest) }

    func check(_ input: [UInt8]) throws(DataError) {
        guard input.count <= bytes else { throw .tooManyBytes(input.count, limit: bytes) }
    }

    /// Checks a value before it is written, so that nothing is written that can't be read again.
    func check(_ value: DataValue) throws(DataError) {
        var count = 0
        try check(value, after: &count)
    }

    /// Checks one of several values that will be written together, after `count` others.
    func check(_ value: DataValue, after count: inout Int) throws(DataError) {
        do throws(Excess) {
            try check(value, depth: 0, &count)
        } catch {
            switch error {
            case .levels: throw .tooDeep(levels, at: value.path(ofLevel: levels) ?? DataPath())
            case .elements: throw .tooManyValues(limit: elements)
            }
        }
    }

    /// What there is too much of.
    private enum Excess: Error { case levels, elements }

    private func check(_ value: DataValue, depth: Int, _ count: inout Int) throws(Excess) {
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

    private func enter(_ depth: Int, _ more: Int, _ count: inout Int) throws(Excess) {
        guard depth < levels else { throw .levels }
        count += more
        guard count <= elements else { throw .elements }
    }
}

extension DataValue {
    /// The path of the first list or object that many levels down; nil if there is none.
    fileprivate func path(ofLevel level: Int) -> DataPath? {
        switch self {
        case .list, .object: break
        default: return nil
        }
        if level == 0 { return DataPath() }
        for (step, part) in parts {
            if let path = part.path(ofLevel: level - 1) { return DataPath([step] + path.steps) }
        }
        return nil
    }
}
