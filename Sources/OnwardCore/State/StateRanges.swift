// SPDX-License-Identifier: MIT

/// The bytes of a root state on which something depends: one range, or several for a selector with
/// several inputs.
@usableFromInline
package struct StateRanges: Sendable {
    private(set) var first: Range<Int>
    /// Empty, and so without an allocation, except for selectors.
    private(set) var others: [Range<Int>] = []

    package init(_ range: Range<Int>) {
        first = range
    }

    /// Adds the bytes on which something else depends.
    package mutating func formUnion(_ more: StateRanges) {
        for range in [more.first] + more.others where range != first && !others.contains(range) {
            others.append(range)
        }
    }

    /// Whether a commit that changed the bytes `changed` may have changed one of these.
    func mayOverlap(_ changed: Range<Int>) -> Bool {
        Self.mayOverlap(first, changed) || others.contains { Self.mayOverlap($0, changed) }
    }

    private static func mayOverlap(_ range: Range<Int>, _ changed: Range<Int>) -> Bool {
        // A field without bytes shares its offset with its neighbour and is never changed, but its
        // subscribers may want to be notified of every commit: an empty range counts as read.
        range.isEmpty || changed.isEmpty || range.overlaps(changed)
    }
}
