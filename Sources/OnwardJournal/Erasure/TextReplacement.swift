// SPDX-License-Identifier: MIT

internal import Foundation

/// Replaces a text in values, in whatever form they have it.
struct TextReplacement: Sendable {
    let text: String
    let replacement: String
    let isInParts: Bool
    /// The text in UTF-8, in each form that Unicode considers equal and that programs write.
    let forms: [[UInt8]]
    /// What the text is in base 64, and what takes its place.
    private let base64: [String: String]

    init(of text: String, with replacement: String, inParts isInParts: Bool) {
        self.text = text
        self.replacement = replacement
        self.isInParts = isInParts
        var forms: [[UInt8]] = []
        for form in [
            text, text.precomposedStringWithCanonicalMapping,
            text.decomposedStringWithCanonicalMapping,
        ] where !forms.contains(Array(form.utf8)) { forms.append(Array(form.utf8)) }
        self.forms = forms.filter { !$0.isEmpty }
        var base64: [String: String] = [:]
        for form in self.forms {
            for variant in Self.base64Variants {
                // Where the text needs no padding its variants are one, and the replacement may need
                // it: it stays readable as the plain form, which comes first.
                let written = variant(Data(form))
                base64[written] = base64[written] ?? variant(Data(replacement.utf8))
            }
        }
        self.base64 = base64
    }

    private static var base64Variants: [(Data) -> String] {
        func plain(_ data: Data) -> String { data.base64EncodedString() }
        func unpadded(_ data: Data) -> String { plain(data).filter { $0 != "=" } }
        func safe(_ text: String) -> String {
            text.replacing("+", with: "-").replacing("/", with: "_")
        }
        return [plain, unpadded, { safe(plain($0)) }, { safe(unpadded($0)) }]
    }

    /// Whether the text could never be gone.
    var isEndless: Bool {
        forms.isEmpty
            || isInParts
                && forms.contains { Data(replacement.utf8).range(of: Data($0)) != nil }
    }

    /// Whether bytes have the text somewhere.
    func occurs(in bytes: some Sequence<UInt8>) -> Bool {
        let data = Data(bytes)
        return forms.contains { data.range(of: Data($0)) != nil }
    }

    // MARK: Values

    /// What remains of a value.
    func value(_ value: DataValue, at path: DataPath = DataPath()) throws(ErasureError) -> DataValue
    {
        switch value {
        case .text(let text): return .text(self.text(text))
        case .bytes(let bytes): return .bytes(self.bytes(bytes))
        case .list(let values):
            if let bytes = Self.bytes(of: values) {
                let rest = self.bytes(bytes)
                return rest == bytes ? value : .list(rest.map { .integer(Int64($0)) })
            }
            var rest: [DataValue] = []
            rest.reserveCapacity(values.count)
            for (index, value) in values.enumerated() {
                rest.append(try self.value(value, at: path.appending("\(index)")))
            }
            try checkIDs(of: values, rest, at: path)
            return .list(rest)
        case .object(let fields):
            var rest: [String: DataValue] = [:]
            for (name, value) in fields {
                let name = text(name)
                guard rest[name] == nil else { throw collision(name, at: path) }
                rest[name] = try self.value(value, at: path.appending(name))
            }
            return .object(rest)
        case .null, .bool, .integer, .unsigned, .number: return value
        }
    }

    /// The bytes that a list of small numbers is.
    private static func bytes(of values: [DataValue]) -> [UInt8]? {
        guard case .integer = values.first else { return nil }
        var bytes: [UInt8] = []
        for value in values {
            guard case .integer(let number) = value, let byte = UInt8(exactly: number) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }

    /// Throws where elements of a list have the same id now, and had not before.
    private func checkIDs(
        of values: [DataValue], _ rest: [DataValue], at path: DataPath
    ) throws(ErasureError) {
        guard values.count > 1, rest != values else { return }
        let ids = rest.compactMap { $0["id"] }
        guard ids.count == values.count else { return }
        var seen: [DataValue: Int] = [:]
        for (index, id) in ids.enumerated() {
            if let first = seen[id], values[first]["id"] != values[index]["id"] {
                throw collision("\(id.text ?? replacement)", at: path)
            }
            seen[id] = index
        }
    }

    private func collision(_ name: String, at path: DataPath) -> ErasureError {
        ErasureError(
            .collision,
            """
            Two different values in "\(path)" would both be "\(name)" after the erasure, so one of them would be \
            lost, or nothing could be read. Choose another replacement, one for each person.
            """)
    }

    // MARK: Texts and bytes

    /// What remains of the id of a row in an address.
    func rowID(_ id: String) throws(ErasureError) -> String {
        let bytes = Array(id.utf8)
        if id != text, bytes.first.map({ "{[\"".utf8.contains($0) }) == true,
            let json = try? DataFormat.json.value(of: bytes)
        {
            let rest = try value(json)
            return rest == json
                ? id : String(decoding: DataFormat.json.bytes(of: rest), as: UTF8.self)
        }
        let rest = text(id)
        // A description, as earlier versions wrote: `ID(name: "ann")`.
        return rest == id && id.contains("\"")
            ? id.replacing("\"\(text)\"", with: "\"\(replacement)\"") : rest
    }

    /// What remains of a text.
    func text(_ value: String) -> String {
        if value == text { return replacement }
        if let replacement = base64[value] { return replacement }
        var rest = value
        if isInParts {
            rest = rest.replacing(text, with: replacement)
            // Also where a combining mark follows, which is another character.
            if occurs(in: rest.utf8) {
                rest = String(decoding: bytes(Array(rest.utf8)), as: UTF8.self)
            }
        }
        return PercentEncodedText(rest)?.replacing(self, inParts: isInParts) ?? rest
    }

    /// What remains of bytes.
    func bytes(_ bytes: [UInt8]) -> [UInt8] {
        if forms.contains(bytes) { return Array(replacement.utf8) }
        guard isInParts, occurs(in: bytes) else { return bytes }
        var rest = Data(bytes)
        for form in forms {
            var start = rest.startIndex
            while let range = rest.range(of: Data(form), in: start..<rest.endIndex) {
                rest.replaceSubrange(range, with: replacement.utf8)
                start = range.lowerBound + replacement.utf8.count
            }
        }
        return Array(rest)
    }
}
