// SPDX-License-Identifier: MIT

public import OnwardCore

/// What a store's cache knows about one selector.
public struct SelectorStatistics: Sendable, Hashable {
    /// Where the selector, or its family, was made.
    public let origin: ActionOrigin
    /// The parameter of a member of a family, as text; nil for other selectors.
    public let parameter: String?
    /// How often the selector was computed, even in part, since it was first read.
    public let evaluations: Int
    /// How often its value was reused instead.
    public let hits: Int
}
