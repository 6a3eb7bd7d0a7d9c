// SPDX-License-Identifier: MIT
#if Server

/// One step from an older list of rows to a newer one, as JSON for the script.
///
/// - `{"row":"7"}`: the row is gone,
/// - `{"now":"7","row":"5"}`: it has another name now, by which the steps after this one call it,
/// - `{"html":"…","row":"7"}`: it looks like this now,
/// - `{"after":"6","row":"7"}`: it comes after that row now, or at the beginning with `null`,
/// - `{"after":"6","html":"…","row":"7"}`: both, as for a new row.
///
/// Removed rows come first, then those with other names, all at once, then the others in the order of the newer list, so that each finds its
/// neighbour in place.
struct RowStep: Sendable, CustomStringConvertible {
    let description: String

    /// Where a row goes.
    enum Move {
        case none, first
        case behind(RenderedRow)
    }

    init(_ row: RenderedRow, isDrawn: Bool, move: Move = .none) {
        let after =
            switch move {
            case .none: ""
            case .first: "\"after\":null,"
            case .behind(let other): "\"after\":\"\(other.key)\","
            }
        let html = isDrawn ? "\"html\":\"\(row.html.json)\"," : ""
        description = "{\(after)\(html)\"row\":\"\(row.key)\"}"
    }

    /// The row has another name.
    private init(renaming old: RenderedRow, to new: RenderedRow) {
        description = "{\"now\":\"\(new.key)\",\"row\":\"\(old.key)\"}"
    }

    /// The steps from one list to another, with as few moves as possible.
    ///
    /// - Parameters:
    ///   - old: The older list.
    ///   - new: The newer one.
    ///   - origins: For each row of the newer list, where it was in the older one.
    /// - Returns: The removals first, then the new names, then the others in the order of the newer list.
    /// - Complexity: O(*n* log *n*); O(*n*) while no two rows swap sides.
    static func steps(
        from old: [RenderedRow], to new: [RenderedRow], origins: [Int?]
    ) -> [RowStep] {
        var isGone = [Bool](repeating: true, count: old.count)
        for origin in origins { origin.map { isGone[$0] = false } }
        var steps = old.indices.filter { isGone[$0] }.map { RowStep(old[$0], isDrawn: false) }
        for (row, origin) in zip(new, origins) {
            guard let origin, old[origin].key != row.key else { continue }
            steps.append(RowStep(renaming: old[origin], to: row))
        }
        let rests = longestRise(origins)
        var move = Move.first
        for (index, row) in new.enumerated() {
            let isDrawn = origins[index].map { old[$0] !== row } ?? true
            if isDrawn || !rests[index] {
                steps.append(RowStep(row, isDrawn: isDrawn, move: rests[index] ? .none : move))
            }
            move = .behind(row)
        }
        return steps
    }

    /// For each number, whether it belongs to a longest choice that rises from left to right.
    static func longestRise(_ numbers: [Int?]) -> [Bool] {
        // For each length, the rise with the lowest end, and for each number the one before it.
        var ends: [(number: Int, index: Int)] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            guard let number else { continue }
            var length = ends.count
            if let last = ends.last, last.number > number {
                length = 0
                var beyond = ends.count
                while length < beyond {
                    let middle = (length + beyond) / 2
                    if ends[middle].number < number { length = middle + 1 } else { beyond = middle }
                }
            }
            previous[index] = length > 0 ? ends[length - 1].index : nil
            ends.replaceSubrange(
                length..<min(length + 1, ends.count), with: [(number: number, index: index)])
        }
        var rises = [Bool](repeating: false, count: numbers.count)
        var next = ends.last?.index
        while let index = next {
            rises[index] = true
            next = previous[index]
        }
        return rises
    }
}
#endif
