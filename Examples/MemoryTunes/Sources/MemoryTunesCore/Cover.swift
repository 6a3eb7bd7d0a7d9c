// SPDX-License-Identifier: MIT

/// An album cover of the catalogue.
public struct Cover: Codable, Hashable, Sendable {
    /// Where its picture is; covers with one address are the same.
    public let address: String
    /// The album's name, for players who can't see the picture.
    public let title: String

    /// Creates a cover.
    public init(address: String, title: String) {
        (self.address, self.title) = (address, title)
    }
}
