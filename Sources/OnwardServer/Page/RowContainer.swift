// SPDX-License-Identifier: MIT
#if Server

/// The element that holds the rows of a list fragment, by its name in HTML.
public enum RowContainer: String, Sendable {
    /// A list; each row is an `<li>`.
    case ul
    /// An ordered list; each row is an `<li>`.
    case ol
    /// The body of a table in the layout; each row is a `<tr>`.
    case tbody
    /// A sequence of any elements.
    case div
}
#endif
