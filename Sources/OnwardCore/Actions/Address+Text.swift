// SPDX-License-Identifier: MIT

extension Address: LosslessStringConvertible {
    /// The address as text, empty for the root.
    public var description: String {
        components.map { component in
            switch component {
            case .slice("."): Self.escapedDot
            case .slice(""): Self.escapedNothing
            case .slice(let name): Self.escape(name)
            case .row(let key): "#" + Self.escape(key.text)
            case .alone: "."
            }
        }.joined(separator: "/")
    }

    /// Reads an address; nil when a name is empty or wrongly escaped, or when the text is longer than
    /// 65,536 bytes.
    ///
    /// - Complexity: O(length of the text).
    public init?(_ description: String) {
        guard !description.isEmpty else {
            self = .root
            return
        }
        guard description.utf8.count <= Self.longestText else { return nil }
        let parts = description.unicodeScalars.split(
            separator: "/", omittingEmptySubsequences: false)
        var components: [Component] = []
        for (index, part) in parts.enumerated() {
            if part.elementsEqual(".".unicodeScalars) {
                guard index == parts.count - 1 else { return nil }
                components.append(.alone)
                continue
            }
            if part.elementsEqual(Self.escapedDot.unicodeScalars) {
                components.append(.slice("."))
                continue
            }
            if part.elementsEqual(Self.escapedNothing.unicodeScalars) {
                components.append(.slice(""))
                continue
            }
            let isRow = part.first == "#"
            guard let text = Self.unescape(isRow ? part.dropFirst() : part),
                isRow || !text.isEmpty
            else { return nil }
            components.append(isRow ? .row(RowKey(text: text)) : .slice(text))
        }
        self.init(components)
    }

    /// A scope whose name is the text that stands for "alone".
    private static let escapedDot = "%2E"
    /// A scope without a name.
    private static let escapedNothing = "%"
    /// Much more than any address has, and little enough to be read from a stranger.
    private static let longestText = 65_536

    private static let escapes: [(Unicode.Scalar, String)] = [
        ("/", "2F"), ("#", "23"), ("%", "25"),
    ]

    // By scalars, because a "/" followed by a combining mark is another character but the same byte.
    private static func escape(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let escape = escapes.first(where: { $0.0 == scalar }) {
                result.append("%")
                result.append(contentsOf: escape.1.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func unescape(_ text: Substring.UnicodeScalarView) -> String? {
        var result = String.UnicodeScalarView()
        var rest = text
        while let scalar = rest.popFirst() {
            switch scalar {
            case "%":
                let code = String(String.UnicodeScalarView(rest.prefix(2)))
                guard let escape = escapes.first(where: { $0.1 == code }) else { return nil }
                result.append(escape.0)
                rest = rest.dropFirst(2)
            case "#": return nil
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

extension Address: Codable {
    /// Reads the text form; throws `DecodingError.dataCorrupted` when it is not an address.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let address = Address(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text.prefix(80))\" is no address.")
        }
        self = address
    }

    /// Writes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
