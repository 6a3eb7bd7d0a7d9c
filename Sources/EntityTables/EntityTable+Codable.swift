// SPDX-License-Identifier: MIT

extension EntityTable: Encodable where Element: Encodable {
    /// Encodes the rows, in order, as an array.
    ///
    /// - Throws: What the encoder or a row throws.
    @inlinable
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for row in self { try container.encode(row) }
    }
}

extension EntityTable: Decodable where Element: Decodable {
    /// Decodes an array of rows into a table that is not sorted.
    ///
    /// An order is code and so not part of the data: use ``init(from:sortedBy:)``, or set ``order``
    /// afterwards.
    ///
    /// - Throws: What the decoder or a row throws, and a `DecodingError.dataCorrupted` if an id
    ///   occurs twice.
    @inlinable
    public init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let row = try container.decode(Element.self)
            guard append(row) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: EntityTableError.duplicateID(
                        row.id, position: count, of: Element.self
                    ).description)
            }
        }
        log = ChangeLog()
    }

    /// Decodes an array of rows that must be in order, and keeps them in order.
    ///
    /// ```swift
    /// cards = try EntityTable(
    ///     from: container.superDecoder(forKey: .cards), sortedBy: RowOrder(\.title))
    /// ```
    ///
    /// - Throws: What the decoder or a row throws, and a `DecodingError.dataCorrupted` if an id
    ///   occurs twice or a row is not where the order requires it.
    @inlinable
    public init(from decoder: any Decoder, sortedBy order: RowOrder<Element>) throws {
        try self.init(from: decoder)
        if let position = firstDisorder(in: order) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: EntityTableError.wrongOrder(
                        self[position].id, position: position, of: Element.self
                    ).description))
        }
        sorting = order
    }
}
