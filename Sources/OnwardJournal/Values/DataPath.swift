// SPDX-License-Identifier: MIT

/// The location of a part in a value: the names of fields and the indices of elements on the way.
///
/// As text, the steps are separated by points: `basket.items.0`. A point or a backslash within a
/// name is preceded by a backslash. The empty text means the whole value.
public struct DataPath: Sendable, Hashable {
    /// The names and indices, from the outside in.
    public var steps: [String]

    /// Creates a path; by default that of the whole value.
    public init(_ steps: [String] = []) { self.steps = steps }

    /// Whether the path means the whole value.
    public var isEmpty: Bool { steps.isEmpty }

    /// Returns the path with another step at its end.
    public func appending(_ step: String) -> DataPath { DataPath(steps + [step]) }
}

extension DataPath: LosslessStringConvertible, ExpressibleByStringLiteral {
    /// Creates the path that a text describes; every text describes one.
    public init(_ description: String) {
        guard !description.isEmpty else {
            self.init()
            return
        }
        var steps = [""]
        var isEscaped = false
        for scalar in description.unicodeScalars {
            switch scalar {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "." where !isEscaped: steps.append("")
            default: steps[steps.count - 1].unicodeScalars.append(scalar)
            }
            isEscaped = false
        }
        self.init(steps)
    }

    /// Creates the path that a literal describes.
    public init(stringLiteral value: String) { self.init(value) }

    /// The path as text.
    public var description: String {
        steps.map { step in
            var text = String.UnicodeScalarView()
            for scalar in step.unicodeScalars {
                if scalar == "." || scalar == "\\" { text.append("\\") }
                text.append(scalar)
            }
            return String(text)
        }.joined(separator: ".")
    }
}

extension DataPath: Codable {
    /// Decodes the path from its text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the path as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
