// SPDX-License-Identifier: MIT

/// A column that an app, or a part of a library, adds to the inspector's list of entries.
///
/// ```swift
/// let request = InspectorColumn("Request") { entry in entry.request ?? "" }
/// let inspector = Inspector(columns: [request])
/// ```
///
/// It runs on the inspector's own thread, outside any lock, for each entry that is in view; so it has
/// to be quick. It is in the list of each store, wherever the store lives.
public struct InspectorColumn: Sendable {
    /// The maximum number of columns.
    package static let mostColumns = 3
    /// The maximum number of letters of a text.
    private static let mostLetters = 100

    /// The title above the column.
    public let title: String
    private let text: @Sendable (EntryLine) -> String

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - title: The title above the column. There is room for three columns.
    ///   - text: Returns what the column has for an entry.
    public init(_ title: String, text: @escaping @Sendable (EntryLine) -> String) {
        self.title = String(title.prefix(40)).visible
        self.text = text
    }

    /// What the column has for an entry.
    package func text(for entry: EntryLine) -> String {
        String(text(entry).prefix(Self.mostLetters)).visible
    }
}
