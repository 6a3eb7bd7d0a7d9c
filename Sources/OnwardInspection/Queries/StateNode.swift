// SPDX-License-Identifier: MIT

public import OnwardJournal

/// A part of a state, with a little of what is below it.
public struct StateNode: Sendable, Hashable, Codable {
    /// What kind of value it is.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Neither an object nor a list.
        case value
        /// Named fields.
        case object
        /// Ordered elements.
        case list
    }

    /// The last step of its path.
    public var step = ""
    /// The path of the part.
    public var path = DataPath()
    /// What kind of value it is.
    public var kind = Kind.value
    /// The number of its fields or elements.
    public var count = 0
    /// The beginning of its JSON.
    public var text = ""
    /// The index of the first field or element that is included.
    public var first = 0
    /// The requested fields by name, or elements by index; without what is below them.
    public var parts: [StateNode] = []

    /// Creates an empty value.
    public init() {}

    /// The maximum number of characters in a text.
    static let mostText = 4_000
}

/// A place where two states differ.
public struct StateChange: Sendable, Hashable, Codable {
    /// What happened there.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// Something was added.
        case added
        /// Something was removed.
        case removed
        /// Something was replaced.
        case changed
    }

    /// Where it is; for a removed part, where it was.
    public var path: DataPath
    /// What happened there.
    public var kind: Kind
    /// The beginning of the old value, as JSON; empty if there was none.
    public var old: String
    /// The beginning of the new value, as JSON; empty if there is none.
    public var new: String

    package init(at path: DataPath, from old: DataValue?, to new: DataValue?, limit: Int = 400) {
        self.path = path
        kind = old == nil ? .added : new == nil ? .removed : .changed
        self.old = old?.preview(limit) ?? ""
        self.new = new?.preview(limit) ?? ""
    }
}

extension StateNode {
    /// A page of fields or elements, whatever numbers are requested: at most 1,000.
    package static func range(from first: Int, _ limit: Int) -> Range<Int> {
        let first = min(max(first, 0), Int(Int32.max))
        return first..<first + min(max(limit, 1), 1_000)
    }

    /// A value in a page of its fields or elements.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - path: The path of the value.
    ///   - range: The fields or elements to include.
    ///   - depth: How many levels below it to include.
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
