// SPDX-License-Identifier: MIT

internal import Onward

extension DataValue {
    /// The deepest level that reflection shows, since objects may refer to one another in a cycle.
    private static var deepest: Int { 16 }

    /// What reflection shows of a value that is not `Encodable`.
    ///
    /// - Complexity: O(what lies in the scope).
    init(reflecting value: Any, within scope: DataScope, depth: Int = 0) {
        if let value = Self.plain(value) {
            self = value
            return
        }
        let mirror = Mirror(reflecting: value)
        func inside(_ value: Any, _ step: String, isElement: Bool = false) -> DataValue {
            guard depth < Self.deepest, let scope = scope.inside(step, isElement: isElement) else {
                return Self.plain(value) ?? .null
            }
            return DataValue(reflecting: value, within: scope, depth: depth + 1)
        }
        switch mirror.displayStyle {
        case .optional:
            self =
                mirror.children.first.map {
                    DataValue(reflecting: $0.value, within: scope, depth: depth)
                } ?? .null
        case .collection, .set:
            self = .list(
                mirror.children.enumerated().map { inside($1.value, "\($0)", isElement: true) })
        case .dictionary:
            var fields: [String: DataValue] = [:]
            for child in mirror.children {
                let pair = Array(Mirror(reflecting: child.value).children)
                guard pair.count == 2 else { continue }
                let name = "\(pair[0].value)"
                fields[name] = inside(pair[1].value, name)
            }
            self = .object(fields)
        case .enum:
            guard let (label, payload) = mirror.children.first, let label else {
                self = .text("\(value)")
                return
            }
            self = .object([label: inside(payload, label)])
        default:
            guard !mirror.children.isEmpty else {
                self = mirror.displayStyle == nil ? .text("\(value)") : .object([:])
                return
            }
            var fields: [String: DataValue] = [:]
            for (index, child) in mirror.children.enumerated() {
                let name = child.label ?? "\(index)"
                fields[name] = inside(child.value, name)
            }
            self = .object(fields)
        }
    }

    /// A value that is neither an object nor a list; nil for any other.
    private static func plain(_ value: Any) -> DataValue? {
        switch value {
        case let value as Bool: .bool(value)
        case let value as String: .text(value)
        case let value as any FixedWidthInteger: DataValue(value)
        case let value as Double: .number(value)
        case let value as Float: .number(Double(value))
        case let value as [UInt8]: .bytes(value)
        case is any RedactedValue: .text(redactedPlaceholder)
        default: nil
        }
    }
}
