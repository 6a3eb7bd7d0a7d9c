// SPDX-License-Identifier: MIT

/// A collection whose elements can be changed in place, found by id.
public protocol RowCollection: Collection where Element: Identifiable {
    /// The row with `id`, nil when there is none.
    func row(id: Element.ID) -> Element?

    /// Changes the row with `id` in place; returns false when there is none.
    ///
    /// - Complexity: as the collection says; O(n) for an array.
    mutating func updateRow(id: Element.ID, _ body: (inout Element) -> Void) -> Bool

    /// Changes every row in place, in order.
    mutating func updateEachRow(_ body: (inout Element) -> Void)
}

extension RowCollection {
    /// Searches the rows in order.
    ///
    /// - Complexity: O(n).
    public func row(id: Element.ID) -> Element? { first { $0.id == id } }

    /// Looks each row up by its id.
    public mutating func updateEachRow(_ body: (inout Element) -> Void) {
        for id in map(\.id) { _ = updateRow(id: id, body) }
    }
}

extension Array: RowCollection where Element: Identifiable {
    /// Changes the first element with `id` in place; returns false when there is none.
    ///
    /// - Complexity: O(n).
    public mutating func updateRow(id: Element.ID, _ body: (inout Element) -> Void) -> Bool {
        guard let index = firstIndex(where: { $0.id == id }) else { return false }
        body(&self[index])
        return true
    }

    /// Changes every element in place, in order.
    public mutating func updateEachRow(_ body: (inout Element) -> Void) {
        for index in indices { body(&self[index]) }
    }
}
