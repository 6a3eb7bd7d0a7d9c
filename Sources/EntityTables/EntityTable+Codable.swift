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
    /// Decodes an array of rows.
    ///
    /// An order is code and so not part of the data: rows of a ``SortedRow`` are sorted if they are
    /// in another order, and equal rows keep theirs.
    ///
    /// - Throws: What the decoder or a row throws, and a `DecodingError.dataCorrupted` if an id
    ///   occurs twice.
    @inlinable
    public init(from decoder: any Decoder) throws {
        self.init(sorting: .unsorted)
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
        startAnew()
    }
}
