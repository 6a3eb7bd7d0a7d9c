// SPDX-License-Identifier: MIT

/// A collection whose elements can be changed in place, found by id.
public protocol RowCollection: Collection where Element: Identifiable {
    /// The row with `id`; nil if there is none.
    subscript(id id: Element.ID) -> Element? { get }

    /// Changes the row with `id` in place.
    ///
    /// - Returns: What `body` returns; nil if there is no such row.
    /// - Throws: What `body` throws.
    /// - Complexity: Depends on the collection; O(n) for an array.
    @discardableResult
    mutating func update<R, E: Error>(
        id: Element.ID, _ body: (inout Element) throws(E) -> R
    ) throws(E) -> R?

    /// Changes every row in place, in order.
    mutating func updateEach(_ body: (inout Element) -> Void)
}

extension RowCollection {
    /// Searches the rows in order.
    ///
    /// - Complexity: O(n).
    public subscript(id id: Element.ID) -> Element? { first { $0.id == id } }

    /// Looks each row up by its id.
    public mutating func updateEach(_ body: (inout Element) -> Void) {
        for id in map(\.id) { update(id: id, body) }
    }
}

extension Array: RowCollection where Element: Identifiable {
    /// Changes the first element with `id` in place; returns nil if there is none.
    ///
    /// - Throws: What `body` throws.
    /// - Complexity: O(n).
    @discardableResult
    public mutating func update<R, E: Error>(
        id: Element.ID, _ body: (inout Element) throws(E) -> R
    ) throws(E) -> R? {
        guard let index = firstIndex(where: { $0.id == id }) else { return nil }
        return try body(&self[index])
    }

    /// Changes every element in place, in order.
    public mutating func updateEach(_ body: (inout Element) -> Void) {
        for index in indices { body(&self[index]) }
    }
}

extension EntityTable: RowCollection {}
