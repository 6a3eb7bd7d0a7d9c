// SPDX-License-Identifier: MIT

/// What turns one value into another.
indirect enum DataDifference: Sendable, Hashable {
    /// Another value replaces it.
    case value(DataValue)
    /// Fields are new or different, and others are gone.
    case fields([String: DataDifference], without: [String])
    /// Elements of a list differ.
    case elements([Int: DataDifference])
    /// Elements replace others.
    case spliced(Range<Int>, with: [DataValue])

    /// Computes the difference; nil if the values are equal.
    ///
    /// - Complexity: O(size of the values).
    init?(from old: DataValue, to new: DataValue) {
        switch (old, new) {
        case (.object(let old), .object(let new)):
            var fields: [String: DataDifference] = [:]
            for (name, value) in new {
                guard let before = old[name] else {
                    fields[name] = .value(value)
                    continue
                }
                if let change = DataDifference(from: before, to: value) { fields[name] = change }
            }
            let gone = old.keys.filter { new[$0] == nil }.sorted()
            if fields.isEmpty, gone.isEmpty { return nil }
            self = .fields(fields, without: gone)
        case (.list(let old), .list(let new)) where old.count == new.count:
            var elements: [Int: DataDifference] = [:]
            for index in new.indices {
                if let change = DataDifference(from: old[index], to: new[index]) {
                    elements[index] = change
                }
            }
            if elements.isEmpty { return nil }
            self = .elements(elements)
        case (.list(let old), .list(let new)):
            self = Self.splice(old, new)
        case (.number(let old), .number(let new)):
            // Unlike `==`: the two zeros differ.
            if old.bitPattern == new.bitPattern || old.isNaN && new.isNaN { return nil }
            self = .value(.number(new))
        case (.text(let old), .text(let new)):
            if old.utf8.elementsEqual(new.utf8) { return nil }
            self = .value(.text(new))
        default:
            if old == new { return nil }
            self = .value(new)
        }
    }

    /// The difference of lists of different lengths, which may have the same beginning and end.
    private static func splice(_ old: [DataValue], _ new: [DataValue]) -> DataDifference {
        func areSame(_ old: DataValue, _ new: DataValue) -> Bool {
            DataDifference(from: old, to: new) == nil
        }
        let shorter = min(old.count, new.count)
        var start = 0
        while start < shorter, areSame(old[start], new[start]) { start += 1 }
        var rest = 0
        while rest < shorter - start,
            areSame(old[old.count - 1 - rest], new[new.count - 1 - rest])
        { rest += 1 }
        return .spliced(start..<old.count - rest, with: Array(new[start..<new.count - rest]))
    }

    /// Applies the difference to the older value; nil if it does not fit that.
    ///
    /// - Complexity: O(fields and elements on the way to what differs).
    func applied(to old: DataValue) -> DataValue? {
        switch self {
        case .value(let new): return new
        case .fields(let changes, let gone):
            guard case .object(var fields) = old else { return nil }
            for name in gone { fields[name] = nil }
            for (name, change) in changes {
                guard let new = change.applied(to: fields[name] ?? .null) else { return nil }
                fields[name] = new
            }
            return .object(fields)
        case .elements(let changes):
            guard case .list(var elements) = old else { return nil }
            for (index, change) in changes {
                guard elements.indices.contains(index),
                    let new = change.applied(to: elements[index])
                else { return nil }
                elements[index] = new
            }
            return .list(elements)
        case .spliced(let range, let new):
            guard case .list(var elements) = old, range.upperBound <= elements.count else {
                return nil
            }
            elements.replaceSubrange(range, with: new)
            return .list(elements)
        }
    }
}

// MARK: - Its size

extension DataDifference {
    /// About how many bytes it takes.
    var size: Int {
        switch self {
        case .value(let value): value.size + 1
        case .fields(let fields, let gone):
            fields.reduce(gone.reduce(2) { $0 + $1.utf8.count + 1 }) {
                $0 + $1.key.utf8.count + $1.value.size
            }
        case .elements(let elements): elements.reduce(2) { $0 + $1.value.size + 4 }
        case .spliced(_, let values): values.reduce(8) { $0 + $1.size }
        }
    }
}

extension DataValue {
    /// About how many bytes it takes.
    var size: Int {
        switch self {
        case .null, .bool: 1
        case .integer, .unsigned, .number: 5
        case .text(let text): text.utf8.count + 1
        case .bytes(let bytes): bytes.count + 2
        case .list(let values): values.reduce(2) { $0 + $1.size }
        case .object(let fields):
            fields.reduce(2) { $0 + $1.key.utf8.count + 1 + $1.value.size }
        }
    }
}

// MARK: - As a value

extension DataDifference {
    /// The difference in its written form.
    var value: DataValue {
        switch self {
        case .value(let value): ["value": value]
        case .fields(let fields, let gone):
            [
                "fields": .object(fields.mapValues(\.value)),
                "without": .list(gone.map { .text($0) }),
            ]
        case .elements(let elements):
            [
                "elements": .list(
                    elements.sorted { $0.key < $1.key }
                        .map { .list([.integer(Int64($0.key)), $0.value.value]) })
            ]
        case .spliced(let range, let values):
            [
                "from": .integer(Int64(range.lowerBound)), "to": .integer(Int64(range.upperBound)),
                "with": .list(values),
            ]
        }
    }

    /// Reads a written difference; nil for any other value.
    init?(_ written: DataValue) {
        if let value = written["value"] {
            self = .value(value)
        } else if let fields = written["fields"]?.fields {
            var changes: [String: DataDifference] = [:]
            for (name, value) in fields {
                guard let change = DataDifference(value) else { return nil }
                changes[name] = change
            }
            let gone = written["without"]?.list ?? []
            let names = gone.compactMap(\.text)
            guard names.count == gone.count else { return nil }
            self = .fields(changes, without: names)
        } else if let elements = written["elements"]?.list {
            var changes: [Int: DataDifference] = [:]
            for element in elements {
                guard let pair = element.list, pair.count == 2,
                    let index = pair[0].integer(as: Int.self), let change = DataDifference(pair[1])
                else { return nil }
                changes[index] = change
            }
            self = .elements(changes)
        } else if let start = written["from"]?.integer(as: Int.self),
            let end = written["to"]?.integer(as: Int.self), 0 <= start, start <= end,
            let values = written["with"]?.list
        {
            self = .spliced(start..<end, with: values)
        } else {
            return nil
        }
    }
}
