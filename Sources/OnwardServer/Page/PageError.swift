// SPDX-License-Identifier: MIT
#if Server

/// Why a page can't be drawn: a mistake in its description, identified so that it can be fixed.
public struct PageError: Error, Hashable, CustomStringConvertible {
    /// The kind of mistake.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: String {
            case duplicateAction, fieldClash, duplicateFragment, badKey, missingTemplate
            case duplicateRow
            case namelessRow, badTokenName
        }
        private let kind: Kind

        /// The name of the code.
        public var description: String { kind.rawValue }

        /// Two accepted action types have the same name.
        public static let duplicateAction = Code(kind: .duplicateAction)
        /// Two fields of an accepted action have the same name on the wire.
        public static let fieldClash = Code(kind: .fieldClash)
        /// Two fragments of one page have the same key.
        public static let duplicateFragment = Code(kind: .duplicateFragment)
        /// A fragment's key is empty or has characters other than letters, digits and `-_./#`.
        public static let badKey = Code(kind: .badKey)
        /// A fragment names a template that the page's library doesn't have.
        public static let missingTemplate = Code(kind: .missingTemplate)
        /// Two rows of one list have the same id, or ids with the same description.
        public static let duplicateRow = Code(kind: .duplicateRow)
        /// The template of a row draws no element that identifies itself with `{{> onward/row}}`.
        public static let namelessRow = Code(kind: .namelessRow)
        /// A token's name is empty or has characters other than letters and digits.
        public static let badTokenName = Code(kind: .badTokenName)
    }

    /// What went wrong.
    public let code: Code
    /// The action name, fragment key, template name or row id that is affected.
    public let key: String

    init(_ code: Code, key: String) {
        self.code = code
        self.key = key
    }

    /// What went wrong, with which name, and how to fix it.
    public var description: String {
        switch code {
        case .duplicateAction:
            """
            The page accepts two action types named "\(key)". A name on the wire means one type. \
            To fix this, list each type once, or give one of them another actionName.
            """
        case .fieldClash:
            """
            The page accepts an action with two fields of one name, "\(key)". On the wire a field without \
            a label is called "value", and those after it "value1", "value2" … To fix this, give the label \
            that has such a name another one, or labels to all fields of the case.
            """
        case .duplicateFragment:
            """
            The page has two fragments with the key "\(key)". The browser finds a fragment by its \
            key. To fix this, give one of them another key.
            """
        case .badKey:
            """
            "\(key)" can't be a fragment's key. A key becomes part of the HTML. To fix this, use \
            letters, digits and the characters - _ . / # only.
            """
        case .duplicateRow:
            """
            Two rows of a list have the id "\(key)". The browser finds a row by its id. To fix this, \
            give each row an id of its own, and each id a description of its own.
            """
        case .namelessRow:
            """
            The template "\(key)" draws a row that the browser can't find again. To fix this, let it \
            draw one element that names itself: <li {{> onward/row}}> … </li>.
            """
        case .badTokenName:
            """
            "\(key)" can't be the name of a token. It becomes part of a template. To fix this, use letters \
            and digits only.
            """
        default:
            """
            A fragment asks for the template "\(key)", which the page's library doesn't have. To \
            fix this, register the template under that name, or correct the fragment's template.
            """
        }
    }
}
#endif
