// SPDX-License-Identifier: MIT

/// The screen that leads to the others.
public struct Menu: Equatable, Sendable {
    /// What can be tapped.
    public struct Row: Equatable, Sendable {
        /// Where it leads.
        public let screen: Screen
        /// What is written on it.
        public let text: String
    }

    /// What stands on top.
    public let title = "Menu"
    /// The rows in their order.
    public let rows = [
        Row(screen: .game, text: "New Game 🎲"),
        Row(screen: .categories, text: "Choose Category 🎵"),
    ]
}
