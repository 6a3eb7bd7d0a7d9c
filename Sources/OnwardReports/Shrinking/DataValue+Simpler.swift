// SPDX-License-Identifier: MIT

internal import OnwardJournal

extension DataValue {
    /// Values that are a step simpler, the simplest first; none of them is reached again by such steps.
    ///
    /// Numbers come nearer to 0, texts, bytes and lists become shorter. Steps are halved, so a bound of *n* is found
    /// in about log² *n* of them.
    var simpler: [DataValue] {
        switch self {
        case .null, .bool(false): []
        case .bool(true): [false]
        case .integer(let number): Self.towardsZero(number)
        case .unsigned(let number): [0, .integer(.max), .unsigned(number / 2)]
        case .number(let number): Self.towardsZero(number)
        case .text(let text): Self.shorter(Array(text)).map { .text(String($0)) }
        case .bytes(let bytes): Self.shorter(bytes).map { .bytes($0) }
        case .list(let values):
            Self.shorter(values).map { .list($0) }
                + Self.simplerElements(values).map { .list($0) }
        case .object(let fields):
            Self.shorter(fields.keys.sorted()).map { names in
                .object(fields.filter { names.contains($0.key) })
            }
                + fields.sorted { $0.key < $1.key }.flatMap { name, value in
                    value.simpler.map { simpler in
                        var fields = fields
                        fields[name] = simpler
                        return .object(fields)
                    }
                }
        }
    }

    private static func towardsZero(_ number: Int64) -> [DataValue] {
        guard number != 0 else { return [] }
        var found: [Int64] = [0]
        if number < 0, number != .min { found.append(-number) }
        var step = number / 2
        while step != 0 {
            found.append(number - step)
            step /= 2
        }
        return found.map { .integer($0) }
    }

    private static func towardsZero(_ number: Double) -> [DataValue] {
        guard number != 0 else { return [] }
        guard number.isFinite else { return [.number(0), .number(1)] }
        let whole = number.rounded(.towardZero)
        guard whole == number else { return [.number(0), .number(whole)] }
        guard let integer = Int64(exactly: number), abs(number) < 9e15 else {
            return [.number(0), .number((number / 2).rounded(.towardZero))]
        }
        return towardsZero(integer).map {
            $0.integer(as: Int64.self).map { .number(Double($0)) } ?? $0
        }
    }

    private static func shorter<Element>(_ elements: [Element]) -> [[Element]] {
        guard !elements.isEmpty else { return [] }
        var found: [[Element]] = [[]]
        var step = elements.count / 2
        while step > 0 {
            found.append(Array(elements.dropLast(step)))
            found.append(Array(elements.dropFirst(step)))
            step /= 2
        }
        if elements.count > 2, elements.count <= 64 {
            for index in elements.indices.dropFirst().dropLast() {
                found.append(Array(elements[..<index] + elements[(index + 1)...]))
            }
        }
        return found
    }

    private static func simplerElements(_ values: [DataValue]) -> [[DataValue]] {
        guard values.count <= 64 else { return [] }
        return values.indices.flatMap { index in
            values[index].simpler.map { simpler in
                var values = values
                values[index] = simpler
                return values
            }
        }
    }
}
