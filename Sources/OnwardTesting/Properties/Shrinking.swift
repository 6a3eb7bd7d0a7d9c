// SPDX-License-Identifier: MIT

/// Makes a failing sequence as short as it can be without losing its failure.
///
/// First whole stretches are left out, then shorter ones, down to single elements (Zeller and
/// Hildebrandt: Simplifying and isolating failure-inducing input, 2002). Then all still shorter choices
/// of the elements are tried, the shortest first, as far as the attempts go: what failed with more
/// elements may fail with quite different ones as well.
struct Shrinking<Element> {
    private let fails: ([Element]) -> Bool
    /// How many more sequences may be tried.
    private var attempts: Int

    init(attempts: Int = 20_000, fails: @escaping ([Element]) -> Bool) {
        self.attempts = attempts
        self.fails = fails
    }

    /// The shortest failing sequence that is found in a failing one, in the order of that.
    mutating func shortest(of elements: [Element]) -> [Element] {
        var rest = elements
        var stretch = rest.count / 2
        while stretch > 0 {
            let before = rest.count
            leaveOut(stretch, of: &rest)
            // A single element that was needed may be needless now that others are gone.
            if stretch > 1 || rest.count == before { stretch /= 2 }
        }
        for count in 0..<rest.count {
            if let choice = choice(of: count, from: elements) { return choice }
        }
        return rest
    }

    /// Leaves out every stretch of a length without which the rest still fails.
    private mutating func leaveOut(_ length: Int, of elements: inout [Element]) {
        var start = 0
        while start < elements.count {
            let end = min(start + length, elements.count)
            let rest = Array(elements[..<start] + elements[end...])
            if isFailing(rest) { elements = rest } else { start = end }
        }
    }

    /// The first failing choice of so many elements.
    private mutating func choice(of count: Int, from elements: [Element]) -> [Element]? {
        var chosen = Array(0..<count)
        while attempts > 0 {
            let choice = chosen.map { elements[$0] }
            if isFailing(choice) { return choice }
            // The last place that can move on does, and those behind it follow.
            let last = chosen.indices.last { chosen[$0] < elements.count - count + $0 }
            guard let last else { return nil }
            let next = chosen[last] + 1
            for place in last..<count { chosen[place] = next + place - last }
        }
        return nil
    }

    private mutating func isFailing(_ elements: [Element]) -> Bool {
        guard attempts > 0 else { return false }
        attempts -= 1
        return fails(elements)
    }
}
