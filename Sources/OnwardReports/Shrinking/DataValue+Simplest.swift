// SPDX-License-Identifier: MIT

internal import OnwardJournal

extension DataValue {
    /// The simplest value to which steps lead that pass a test.
    ///
    /// Numbers come nearer to 0; texts, bytes, lists and objects become shorter, and then their parts simpler. A step
    /// that passes is never taken back, and the next one is tried from there, not from the beginning. So a number *n*
    /// takes about log *n* tests, a text or a list at most some two for each element, and 128 where it is long.
    ///
    /// - Parameters:
    ///   - isOver: Whether to return what was found so far; of a large value, even the candidates take time.
    ///   - passes: Whether a value has what this one has; called with values that are simpler than the last one that
    ///     passed.
    /// - Returns: The last value that passed; this one where none did.
    /// - Throws: What the test throws.
    func simplest(
        unless isOver: () -> Bool = { false },
        where passes: (DataValue) throws(ReportError) -> Bool
    ) throws(ReportError) -> DataValue {
        if isOver() { return self }
        switch self {
        case .null, .bool(false): return self
        case .bool(true): return try passes(false) ? false : true
        case .integer(let number):
            return .integer(
                try Self.nearest(number) { number throws(ReportError) in
                    try passes(.integer(number))
                })
        case .unsigned(let number):
            guard !(try passes(0)) else { return 0 }
            guard try passes(.integer(.max)) else { return .unsigned(number) }
            return try DataValue.integer(.max).simplest(unless: isOver, where: passes)
        case .number(let number): return try Self.simplest(number, where: passes)
        case .text(let text):
            let left = try Self.shortest(Array(text), isOver) { text throws(ReportError) in
                try passes(.text(String(text)))
            }
            return .text(String(left))
        case .bytes(let bytes):
            return .bytes(
                try Self.shortest(bytes, isOver) { bytes throws(ReportError) in
                    try passes(.bytes(bytes))
                })
        case .list(let values):
            var left = try Self.shortest(values, isOver) { values throws(ReportError) in
                try passes(.list(values))
            }
            for index in left.indices {
                if isOver() { break }
                left[index] = try left[index].simplest(unless: isOver) {
                    value throws(ReportError) in
                    var values = left
                    values[index] = value
                    return try passes(.list(values))
                }
            }
            return .list(left)
        case .object(let fields):
            let names = try Self.shortest(fields.keys.sorted(), isOver) {
                names throws(ReportError) in
                try passes(.object(fields.filter { names.contains($0.key) }))
            }
            var left = fields.filter { names.contains($0.key) }
            for name in names {
                if isOver() { break }
                left[name] = try left[name]?.simplest(unless: isOver) { value throws(ReportError) in
                    var fields = left
                    fields[name] = value
                    return try passes(.object(fields))
                }
            }
            return .object(left)
        }
    }

    /// The number nearest to 0 that halving the way there finds.
    private static func nearest(
        _ number: Int64, where passes: (Int64) throws(ReportError) -> Bool
    ) throws(ReportError) -> Int64 {
        guard number != 0, !(try passes(0)) else { return 0 }
        var passing = number
        if number < 0, number != .min, try passes(-number) { passing = -number }
        var failing: Int64 = 0
        while (passing - failing).magnitude > 1 {
            let middle = failing + (passing - failing) / 2
            if try passes(middle) { passing = middle } else { failing = middle }
        }
        return passing
    }

    private static func simplest(
        _ number: Double, where passes: (DataValue) throws(ReportError) -> Bool
    ) throws(ReportError) -> DataValue {
        guard number != 0, !(try passes(.number(0))) else { return .number(0) }
        guard number.isFinite else { return .number(try passes(.number(1)) ? 1 : number) }
        let whole = number.rounded(.towardZero)
        if whole != number, !(try passes(.number(whole))) { return .number(number) }
        guard abs(whole) < 9e15, let integer = Int64(exactly: whole) else { return .number(whole) }
        return .number(
            Double(
                try nearest(integer) { number throws(ReportError) in
                    try passes(.number(Double(number)))
                }))
    }

    /// What is left of a list once parts are taken out, halves first and single elements last, as long as there are
    /// at most 64 of them.
    private static func shortest<Element>(
        _ elements: [Element], _ isOver: () -> Bool,
        where passes: ([Element]) throws(ReportError) -> Bool
    ) throws(ReportError) -> [Element] {
        guard !elements.isEmpty, !(try passes([])) else { return [] }
        var left = elements
        var size = left.count / 2
        while size > 0, size >= left.count / 64 {
            var start = 0
            while start < left.count, left.count > 1 {
                if isOver() { return left }
                let end = min(start + size, left.count)
                let rest = Array(left[..<start] + left[end...])
                if !rest.isEmpty, try passes(rest) { left = rest } else { start = end }
            }
            size /= 2
        }
        return left
    }
}
