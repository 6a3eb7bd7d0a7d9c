// SPDX-License-Identifier: MIT

/// Where a part of a value is: the names of fields and the indices of elements that lead to it.
///
/// As a text the steps stand one after another, with points between them: `basket.items.0`. A point or a backslash
/// within a name has a backslash before it. The empty text means the whole value.
public struct DataPath: Sendable, Hashable {
    /// The names and indices, from the outside in.
    public var steps: [String]

    /// A path; by default that of the whole value.
    public init(_ steps: [String] = []) { self.steps = steps }

    /// Whether it means the whole value.
    public var isEmpty: Bool { steps.isEmpty }

    /// The path of a part of what is at this one.
    public func appending(_ step: String) -> DataPath { DataPath(steps + [step]) }
}

extension DataPath: LosslessStringConvertible, ExpressibleByStringLiteral {
    /// The path that a text means; each text means one.
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

    /// The path that a literal means.
    public init(stringLiteral value: String) { self.init(value) }

    /// The text of the path.
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
    /// Reads the text.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
