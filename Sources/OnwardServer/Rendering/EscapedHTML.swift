// SPDX-License-Identifier: MIT
#if Server

import Mustache

/// The only way into HTML: a template drawn from values whose texts are escaped by scalar.
///
/// The template library escapes `<`, `>`, `&` and quotes if each is a separate `Character`. In
/// Swift, a mark that follows a scalar of class Prepend (U+0600) or precedes a combining one
/// (U+0301) is part of another character; to a browser it is still markup, so a stranger's text
/// could end an attribute or begin an element. Therefore every mark is passed to the library
/// between two separators, which are separate characters beside anything, and they are removed from
/// what it draws. A text's own separators are doubled on the way in: of two equal adjacent ones one
/// remains, whatever is around them.
enum EscapedHTML {
    /// Draws a template.
    ///
    /// - Parameters:
    ///   - template: A template, which is trusted since the author of the app wrote it.
    ///   - model: The values of its names, which are not trusted.
    ///   - library: The library with its partials.
    /// - Returns: HTML.
    static func draw(
        _ template: MustacheTemplate, model: Any, library: MustacheLibrary = MustacheLibrary()
    ) -> String {
        withoutSeparators(template.render(EscapableModel(model), library: library))
    }

    /// Boundaries between adjacent characters, whatever these are: one before a mark, one after it.
    ///
    /// Code points reserved by Unicode, of the class of control characters.
    private static let before: Unicode.Scalar = "\u{E0FFE}"
    private static let behind: Unicode.Scalar = "\u{E0FFF}"

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        scalar == before || scalar == behind
    }

    /// The first byte of either in UTF-8; hardly any text has it.
    private static let lead: UInt8 = 0xF3

    /// The text with each mark between two separators if it could be part of another character.
    static func separateMarks(in text: String) -> String {
        // In ASCII only CR LF is one character.
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        if isPlain || !text.utf8.contains(where: { isMark($0) || $0 == lead }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.isASCII, isMark(UInt8(ascii: scalar)) {
                result.append(before)
                result.append(scalar)
                result.append(behind)
            } else {
                append(scalar, to: &result)
            }
        }
        return String(result)
    }

    /// The HTML with its own separators doubled.
    fileprivate static func doubleSeparators(in html: String) -> String {
        guard html.utf8.contains(lead) else { return html }
        var result = String.UnicodeScalarView()
        for scalar in html.unicodeScalars { append(scalar, to: &result) }
        return String(result)
    }

    /// Appends a scalar of a text or of HTML, writing a separator twice.
    private static func append(
        _ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView
    ) {
        result.append(scalar)
        if isSeparator(scalar) { result.append(scalar) }
    }

    private static func withoutSeparators(_ html: String) -> String {
        guard html.utf8.contains(lead) else { return html }
        var result = String.UnicodeScalarView()
        var open: Unicode.Scalar?  // a separator that may be the first of two
        for scalar in html.unicodeScalars {
            if !isSeparator(scalar) || open == scalar {
                result.append(scalar)
                open = nil
            } else {
                open = scalar
            }
        }
        return String(result)
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "<", ">", "&", "\"", "'": true
        default: false
        }
    }
}

/// HTML that ``EscapedHTML`` drew, on its way into a document as `{{{name}}}`.
struct DrawnHTML: MustacheCustomRenderable {
    let renderText: String
    var isNull: Bool { false }

    init(_ html: String) { renderText = EscapedHTML.doubleSeparators(in: html) }
}

/// A view model as the template library sees it: its texts with separated marks at every depth.
private struct EscapableModel: MustacheParent, MustacheCustomRenderable {
    private let model: Any
    private let fields: EscapableFields

    init(_ model: Any) {
        self.model = model
        fields = EscapableFields(of: model)
    }

    /// What a template gets for a name; nil for a name that the model doesn't declare, which the
    /// library then looks up further out.
    func child(named name: String) -> Any? { fields[name] }

    var renderText: String {
        let text = (model as? any MustacheCustomRenderable)?.renderText
        return EscapedHTML.separateMarks(in: text ?? String(describing: model))
    }

    var isNull: Bool { (model as? any MustacheCustomRenderable)?.isNull ?? false }

    /// The value as a template may have it; nil for an absent one.
    ///
    /// Only what can't add a text of its own is passed unchanged: numbers, Booleans and drawn HTML.
    /// Templates and lambdas in a model aren't, since the library neither separates nor escapes
    /// what they draw.
    fileprivate static func escapable(_ value: Any) -> Any? {
        switch value {
        case let text as String: return EscapedHTML.separateMarks(in: text)
        case is Bool, is any BinaryInteger, is any BinaryFloatingPoint, is DrawnHTML: return value
        case let custom as any MustacheCustomRepresentation:
            return custom.representation.flatMap(escapable)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { escapable($0.value) }
        case .collection, .set: return mirror.children.compactMap { escapable($0.value) }
        default: return EscapableModel(value)
        }
    }
}

/// A field that a model declares and has no value for: empty in text and in sections.
///
/// The library would look for nil further out, and find a field of another model.
private struct AbsentField: MustacheCustomRenderable {
    let renderText = ""
    let isNull = true
}

/// What a template gets for the names of a view model's fields.
///
/// All fields are read when the first one is requested, since a template requests many of them,
/// some several times, and reflection goes through all fields up to the requested one.
private final class EscapableFields {
    private let model: Any
    private lazy var parent = model as? any MustacheParent
    private lazy var values = readFields()
    /// The fields that were requested before.
    private var known: [String: Any?] = [:]

    init(of model: Any) { self.model = model }

    subscript(name: String) -> Any? {
        if let known = known[name] { return known }
        let field: Any? = value(named: name).map { value in
            EscapableModel.escapable(value) ?? AbsentField()
        }
        known[name] = .some(field)
        return field
    }

    /// The value of a declared name, which may be a nil in an `Any`; nil for an undeclared one.
    private func value(named name: String) -> Any? {
        guard let parent else { return values[name] }
        if let value = parent.child(named: name) { return value }
        // A parent returns nil for what it hasn't, and for a stored property that is nil.
        return values[name].flatMap { EscapableModel.escapable($0) == nil ? $0 : nil }
    }

    private func readFields() -> [String: Any] {
        var values: [String: Any] = [:]
        var mirror: Mirror? = Mirror(reflecting: model)
        while let current = mirror {
            for case (let name?, let value) in current.children where values[name] == nil {
                values[name] = value
            }
            mirror = current.superclassMirror
        }
        return values
    }
}
#endif
