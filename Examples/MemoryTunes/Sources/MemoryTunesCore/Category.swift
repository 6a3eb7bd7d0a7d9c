// SPDX-License-Identifier: MIT

/// The kinds of music to play with, in the order of the screen.
public enum Category: String, CaseIterable, Codable, Sendable {
    case pop = "Pop"
    case electronic = "Electronic"
    case rock = "Rock"
    case metal = "Metal"
    case rap = "Rap"
}
