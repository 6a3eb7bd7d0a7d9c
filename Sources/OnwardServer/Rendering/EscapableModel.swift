// SPDX-License-Identifier: MIT
#if Server

import Mustache

/// A view model whose texts the template library escapes completely.
///
/// The library looks for `<`, `>`, `&` and quotes character by character, and a quote with a
/// combining mark behind it is another character to Swift, but still a quote to a browser: a
/// stranger's text could end an attribute. So a text in which a mark sits on one of the five gets a
/// word joiner (U+2060, which shows nothing) between the two.
struct EscapableModel: MustacheParent, CustomStringConvertible {
    private let model: Any

    init(_ model: Any) { self.model = model }

    /// What a template gets for a name.
    func child(named name: String) -> Any? {
        if let parent = model as? any MustacheParent {
            return parent.child(named: name).flatMap(Self.escapable)
        }
        var mirror: Mirror? = Mirror(reflecting: model)
        while let current = mirror {
            if let child = current.children.first(where: { $0.label == name }) {
                return Self.escapable(child.value)
            }
            mirror = current.superclassMirror
        }
        return nil
    }

    var description: String { Self.separateMarks(in: String(describing: model)) }

    /// The value as a template may have it; nil for an absent one.
    static func escapable(_ value: Any) -> Any? {
        switch value {
        case let text as String: return separateMarks(in: text)
        case is any Numeric, is Bool, is any MustacheCustomRenderable, is MustacheLambda,
            is MustacheTemplate:
            return value
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { escapable($0.value) }
        case .collection, .set: return mirror.children.compactMap { escapable($0.value) }
        default: return EscapableModel(value)
        }
    }

    /// The text with each of the five characters that HTML gives a meaning as a character of its own.
    static func separateMarks(in text: String) -> String {
        guard text.contains(where: isMarked) else { return text }
        var result = String.UnicodeScalarView()
        for character in text {
            guard isMarked(character), let first = character.unicodeScalars.first else {
                result.append(contentsOf: character.unicodeScalars)
                continue
            }
            result.append(first)
            result.append("\u{2060}")
            result.append(contentsOf: character.unicodeScalars.dropFirst())
        }
        return String(result)
    }

    private static func isMarked(_ character: Character) -> Bool {
        guard character.unicodeScalars.count > 1 else { return false }
        switch character.unicodeScalars.first {
        case "<", ">", "&", "\"", "'": return true
        default: return false
        }
    }
}
#endif
