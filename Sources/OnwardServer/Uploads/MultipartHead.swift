// SPDX-License-Identifier: MIT
#if Server

/// Why a body isn't of the type `multipart/form-data`.
enum MultipartError: Error, Hashable {
    /// It doesn't begin with its boundary.
    case noBoundary
    /// It ends in the middle.
    case truncated
    /// A part has no name.
    case noName
    /// The head of a part is too large.
    case headTooLarge
    /// The head of a part can't be read.
    case badHead

    /// The reason, for developers.
    var reason: String {
        switch self {
        case .noBoundary: "The body of a form doesn't begin with its boundary."
        case .truncated: "The body of a form ended in the middle."
        case .noName: "A part of a form has no name."
        case .headTooLarge:
            "The head of a form's part is larger than \(MultipartParser.headLimit >> 10) KiB."
        case .badHead: "The head of a form's part can't be read."
        }
    }
}

/// The head of a part of a form: its name, and that of its file if it is one.
struct MultipartHead: Hashable, Sendable {
    let name: String
    /// The file's name as it was sent; empty if no file was chosen, nil for other fields.
    let fileName: String?

    init(name: String, fileName: String? = nil) {
        self.name = name
        self.fileName = fileName
    }

    /// Reads a head without the empty line behind it.
    ///
    /// - Throws: ``MultipartError`` if it is malformed or names no field.
    init(_ bytes: some Sequence<UInt8>) throws(MultipartError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badHead }
        var disposition: Substring?
        for line in text.split(separator: "\r\n", omittingEmptySubsequences: false) {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
                throw .badHead
            }
            if line[..<colon].lowercased() == "content-disposition" {
                guard disposition == nil else { throw .badHead }
                disposition = line[line.index(after: colon)...]
            }
        }
        guard let disposition else { throw .noName }
        let value = try HeaderValue(disposition)
        guard value.word == "form-data", let name = value.parameters["name"], !name.isEmpty else {
            throw .noName
        }
        self.init(name: Self.decode(name), fileName: value.parameters["filename"].map(Self.decode))
    }

    /// Decodes what browsers encode in names (WHATWG HTML § 4.10.22.8).
    private static func decode(_ name: String) -> String {
        var (decoded, rest) = ("", name[...])
        while let percent = rest.firstIndex(of: "%") {
            decoded += rest[..<percent]
            rest = rest[percent...]
            let known = [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")]
            let match = known.first { rest.hasPrefix($0.0) }
            decoded += match?.1 ?? "%"
            rest = rest.dropFirst(match == nil ? 1 : 3)
        }
        return decoded + rest
    }
}

/// The value of a header: a word, and parameters such as `name="text"`.
struct HeaderValue {
    /// The word, in lower case.
    let word: String
    /// By name, in lower case; of several with one name the first counts.
    private(set) var parameters: [String: String] = [:]

    /// Reads a value.
    ///
    /// - Throws: ``MultipartError/badHead`` if it is malformed.
    init(_ text: some StringProtocol) throws(MultipartError) {
        // By scalars: a mark that follows a quote would be one character with it.
        var rest = Substring(text).unicodeScalars.drop { $0 == " " || $0 == "\t" }
        word = Self.word(&rest)
        while true {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == ";" }
            if rest.isEmpty { return }
            let name = Self.word(&rest)
            guard !name.isEmpty, rest.first == "=" else { throw .badHead }
            rest.removeFirst()
            let value = rest.first == "\"" ? try Self.quoted(&rest) : Self.token(&rest)
            if parameters[name] == nil { parameters[name] = value }
        }
    }

    private static func word(_ rest: inout Substring.UnicodeScalarView) -> String {
        token(&rest).lowercased()
    }

    private static func token(_ rest: inout Substring.UnicodeScalarView) -> String {
        let token = rest.prefix { !" \t;=\"".unicodeScalars.contains($0) }
        rest = rest[token.endIndex...]
        return String(token)
    }

    /// A text in quotes; a backslash protects a quote and itself, and else stands for itself.
    private static func quoted(
        _ rest: inout Substring.UnicodeScalarView
    ) throws(MultipartError) -> String {
        var text = String.UnicodeScalarView()
        rest.removeFirst()
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return String(text) }
            if scalar == "\\", let next = rest.first, next == "\"" || next == "\\" {
                rest.removeFirst()
                text.append(next)
            } else {
                text.append(scalar)
            }
        }
        throw .badHead
    }
}
#endif
