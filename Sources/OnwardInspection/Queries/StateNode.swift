// SPDX-License-Identifier: MIT

public import OnwardJournal

/// A part of a state, with what lies a little below it.
public struct StateNode: Sendable, Hashable, Codable {
    /// What kind of value it is.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Neither an object nor a list.
        case value
        /// Fields with names.
        case object
        /// Elements in an order.
        case list
    }

    /// The last step of its path.
    public var step = ""
    /// Where it is.
    public var path = DataPath()
    /// What kind of value it is.
    public var kind = Kind.value
    /// How many fields or elements it has.
    public var count = 0
    /// Its beginning as JSON.
    public var text = ""
    /// The first of its fields or elements that is given.
    public var first = 0
    /// Fields by name, or elements by index: those that were asked for; none of what lies deeper.
    public var parts: [StateNode] = []

    /// An empty value.
    public init() {}

    /// The most letters of a text.
    static let mostText = 4_000
}

/// A place where two states differ.
public struct StateChange: Sendable, Hashable, Codable {
    /// What happened there.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// There was nothing.
        case added
        /// There is nothing any more.
        case removed
        /// There is something else.
        case changed
    }

    /// Where; of what has gone, where it was.
    public var path: DataPath
    /// What happened there.
    public var kind: Kind
    /// The beginning of what was there, as JSON; empty for nothing.
    public var old: String
    /// The beginning of what is there, as JSON; empty for nothing.
    public var new: String

    package init(at path: DataPath, from old: DataValue?, to new: DataValue?, limit: Int = 400) {
        self.path = path
        kind = old == nil ? .added : new == nil ? .removed : .changed
        self.old = old?.preview(limit) ?? ""
        self.new = new?.preview(limit) ?? ""
    }
}

extension StateNode {
    /// A page of fields or elements, whatever numbers somebody asks for: at most 1,000.
    package static func range(from first: Int, _ limit: Int) -> Range<Int> {
        let first = min(max(first, 0), Int(Int32.max))
        return first..<first + min(max(limit, 1), 1_000)
    }

    /// A value in a page of its fields or elements.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: Where it is.
    ///   - range: The fields or elements that are given.
    ///   - depth: How many levels below it are given.
    ///   - levels: How many levels below it were encoded.
    package init(
        _ value: DataValue, at path: DataPath, _ range: Range<Int>, depth: Int,
        encoded levels: Int = .max
    ) {
        self.path = path
        step = path.steps.last ?? ""
        switch value {
        case .object(let fields):
            kind = .object
            count = fields.count
        case .list(let values):
            kind = .list
            count = values.count
        default: break
        }
        text = value.preview(kind == .value ? Self.mostText : 160, encoded: levels)
        guard depth > 0, count > 0 else { return }
        let range = range.clamped(to: 0..<count)
        first = range.lowerBound
        parts = value.parts[range].map { part in
            StateNode(
                part.value, at: path.appending(part.step), 0..<20, depth: depth - 1,
                encoded: levels - 1)
        }
    }
}
