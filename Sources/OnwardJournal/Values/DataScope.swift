// SPDX-License-Identifier: MIT

/// Which part of a value is encoded: what is at a path, and a number of levels below it.
///
/// Anything beside the path or deeper is null, so that looking at a little of a large state does
/// not encode all of it. In a list on the path all elements are counted; those outside the window
/// are null.
package struct DataScope: Sendable {
    /// The rest of the path to the part.
    private var steps: ArraySlice<String>
    /// How many levels below this value are encoded; on the way to the part, all levels are.
    private var depth: Int
    /// Which elements are encoded if the part itself is a list.
    private let window: Range<Int>
    /// Counts what is encoded; nil for no limit.
    let meter: DataMeter?

    /// A scope.
    ///
    /// - Parameters:
    ///   - path: Where the part is.
    ///   - depth: How many levels below it are encoded; 0 for only its own plain values.
    ///   - window: Which elements are encoded of a list at the path.
    ///   - meter: Ends the encoding when it has become too much.
    package init(
        _ path: DataPath, depth: Int = .max, window: Range<Int> = 0..<Int.max,
        meter: DataMeter? = nil
    ) {
        steps = path.steps[...]
        self.depth = depth
        self.window = window
        self.meter = meter
    }

    /// The scope of a value inside; nil if that is not encoded.
    func inside(_ step: String, isElement: Bool) -> DataScope? {
        let scope = part(step, isElement: isElement)
        meter?.count(isEncoded: scope != nil)
        return scope
    }

    private func part(_ step: String, isElement: Bool) -> DataScope? {
        var scope = self
        if let next = steps.first {
            guard next == step else { return nil }
            scope.steps.removeFirst()
            return scope
        }
        guard depth > 0, meter?.isFull != true else { return nil }
        if isElement, isAtPart, let index = Int(step), !window.contains(index) { return nil }
        scope.depth -= depth == .max ? 0 : 1
        scope.isAtPart = false
        return scope
    }

    /// Whether the value is the part itself.
    private var isAtPart = true
}

extension DataValue {
    /// Encodes a part of a value in its place; everything beside it and deeper is null.
    ///
    /// A value that is not `Encodable`, a state or an action, is shown by reflection.
    ///
    /// - Throws: What ``init(encoding:)`` throws; ``DataError`` if the meter of the scope ends it.
    /// - Complexity: O(what lies in the scope, and the number of the values beside it).
    package init(_ value: Any, within scope: DataScope) throws {
        if let value = value as? any Encodable {
            self = try DataEncoder.encode(value, within: scope) { $0.value() }
        } else {
            self.init(reflecting: value, within: scope)
        }
    }
}
