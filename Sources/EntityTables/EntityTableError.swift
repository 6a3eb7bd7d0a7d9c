// SPDX-License-Identifier: MIT

/// The reason why rows cannot form an ``EntityTable``.
public struct EntityTableError: Error, Equatable, CustomStringConvertible {
    /// What is wrong with the rows.
    public enum Code: Sendable {
        /// Two rows have the same id.
        case duplicateID
    }

    /// What is wrong with the rows.
    public let code: Code
    /// The type of the rows.
    let rowType: String
    /// A description of the id of the row that does not fit.
    let id: String
    /// The position of that row among the rows given, from 0.
    package let position: Int

    /// The error in one sentence.
    public var description: String {
        switch code {
        case .duplicateID:
            "row \(position) (\(rowType)) has the id \(id), as a row before it has"
        }
    }
}

extension EntityTableError {
    @usableFromInline
    static func duplicateID(_ id: some Any, position: Int, of rowType: Any.Type) -> Self {
        Self(
            code: .duplicateID, rowType: "\(rowType)", id: String(reflecting: id),
            position: position)
    }
}
