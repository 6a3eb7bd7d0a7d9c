// SPDX-License-Identifier: MIT
#if Server

/// The element that holds the rows of a list fragment, under its name in HTML.
public enum RowContainer: String, Sendable {
    /// A list; each row is an `<li>`.
    case ul
    /// A list in which the order counts; each row is an `<li>`.
    case ol
    /// The body of a table that the layout holds; each row is a `<tr>`.
    case tbody
    /// Any elements one after another.
    case div
}
#endif
