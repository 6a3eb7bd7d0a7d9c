// SPDX-License-Identifier: MIT

/// The screen of categories: which one is current.
public struct Categories: Codable, Equatable, Sendable {
    /// What the next game is played with.
    public internal(set) var current: Category

    /// Categories with a current one, by name; unknown or missing means Pop.
    public init(current name: String? = nil) {
        current = name.flatMap(Category.init) ?? .pop
    }
}
