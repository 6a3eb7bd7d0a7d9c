// SPDX-License-Identifier: MIT

/// A place over the screens that presents one thing at a time.
///
/// `.sheet` and `.alert` are names that every app understands; make others from a string:
/// `let slot: ModalSlot = "player"`.
public struct ModalSlot: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name of the slot, also in logs and journals.
    public let name: String

    /// Creates a slot with a name.
    public init(_ name: String) { self.name = name }

    /// Creates a slot named by a literal.
    public init(stringLiteral name: String) { self.name = name }

    /// The slot for what covers the screen, such as an editor or a picker.
    public static let sheet = ModalSlot("sheet")
    /// The slot for what has to be answered first.
    public static let alert = ModalSlot("alert")
}

extension ModalSlot: Codable {
    /// Reads the name.
    public init(from decoder: any Decoder) throws {
        name = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
