// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardJournal

/// What is wrong with a field that a visitor filled in, to be said beside it.
///
/// An app words it in its own language with ``Page/wordingMistakes(_:)``.
public struct FieldMistake: Hashable, Sendable {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// It is blank, or nothing was chosen.
        case missing
        /// It isn't a number.
        case notANumber
        /// It isn't a whole number between two bounds.
        case notAWholeNumber(ClosedRange<Double>)
        /// It is neither true nor false.
        case notABoolean
        /// It isn't a date.
        case notADate
        /// It is none of the values that there are.
        case notAChoice
        /// No file was chosen.
        case noFile
        /// A file is larger than this number of bytes.
        case fileTooLarge(Int)
        /// There are more than this number of files.
        case tooManyFiles(Int)
        /// The files can't be accepted now, as too many wait.
        case noRoomForFile
        /// It can't be read for another reason.
        case unreadable
    }

    /// The action's name, such as `LedgerAction/add`.
    public let action: String
    /// The name of the field.
    public let field: String
    /// What is wrong with it.
    public let kind: Kind

    /// The sentence for visitors, in English.
    public var sentence: String {
        switch kind {
        case .missing: "Please fill in this field."
        case .notANumber: "Please enter a number."
        case .notAWholeNumber(let range):
            if range.upperBound <= Double(UInt32.max) {
                "Please enter a whole number from \(Int(range.lowerBound)) to \(Int(range.upperBound))."
            } else if range.lowerBound == 0 {
                "Please enter a whole number that isn't negative."
            } else {
                "Please enter a whole number."
            }
        case .notABoolean: "Please choose yes or no."
        case .notADate: "Please enter a date."
        case .notAChoice: "Please choose one of the values offered."
        case .noFile: "Please choose a file."
        case .fileTooLarge(let bytes): "Please choose a file of at most \(Self.words(for: bytes))."
        case .tooManyFiles(1): "Please choose only one file."
        case .tooManyFiles(let files): "Please choose at most \(files) files at once."
        case .noRoomForFile: "This file can't be accepted now. Please try again later."
        case .unreadable: "Please check what you entered here."
        }
    }

    /// A size as people say it, rounded down: what is promised fits.
    private static func words(for bytes: Int) -> String {
        switch bytes {
        case ..<1_024: "\(bytes) bytes"
        case ..<(1_024 * 1_024): "\(bytes / 1_024) KB"
        default: "\(bytes / 1_024 / 1_024) MB"
        }
    }

    /// The field's name in words: `unitPrice` is "Unit price".
    var label: String {
        let words = field.reduce(into: "") { text, character in
            if character.isUppercase, let last = text.last, last.isLowercase { text += " " }
            text += text.isEmpty ? character.uppercased() : character.lowercased()
        }
        return words.isEmpty ? field : words
    }
}

extension FieldMistake {
    /// The mistake that a decoding error shows; nil if it is none of a visitor but of the page.
    init?(_ error: any Error, in action: String) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            let name = FieldNames.written(key)
            guard !context.codingPath.isEmpty || !action.contains("/"),
                !ReservedFields.names(hasRoutes: true).contains(name)
            else { return nil }
            self.init(action: action, field: name, kind: .missing)
        case DecodingError.typeMismatch(let type, let context):
            self.init(context, in: action, Self.kind(of: type))
        case DecodingError.valueNotFound(_, let context):
            self.init(context, in: action, .missing)
        case DecodingError.dataCorrupted(let context):
            self.init(context, in: action, .notAChoice)
        case let missing as MissingFile: self.init(missing.codingPath, in: action, missing.kind)
        default: return nil
        }
    }

    private init?(_ context: DecodingError.Context, in action: String, _ kind: Kind) {
        self.init(context.codingPath, in: action, kind)
    }

    private init?(_ path: [any CodingKey], in action: String, _ kind: Kind) {
        // The first key is the case; without another one the action itself is wrong. An element's
        // field is the list.
        let path = path.dropFirst(action.contains("/") ? 1 : 0)
        guard let field = path.last(where: { !($0 is ElementKey) }) else { return nil }
        self.init(action: action, field: FieldNames.written(field), kind: kind)
    }

    private static func kind(of type: any Any.Type) -> Kind {
        switch type {
        case is Bool.Type: .notABoolean
        case is Double.Type, is Float.Type: .notANumber
        case let type as any FixedWidthInteger.Type: .notAWholeNumber(range(of: type))
        default: ActionDecoder.isDate(type) ? .notADate : .unreadable
        }
    }

    private static func range<I: FixedWidthInteger>(of type: I.Type) -> ClosedRange<Double> {
        Double(I.min)...Double(I.max)
    }
}

extension Page {
    /// Returns the page with its own sentences for what is wrong with a field.
    ///
    /// ```swift
    /// let page = try Page<Shop>(…).wordingMistakes { mistake in
    ///     switch (mistake.field, mistake.kind) {
    ///     case ("amount", _): "Bitte geben Sie einen Betrag ein, zum Beispiel 12.50."
    ///     case (_, .missing): "Bitte füllen Sie dieses Feld aus."
    ///     default: nil
    ///     }
    /// }
    /// ```
    ///
    /// The script shows the sentence beside the field; a visitor without scripts reads it above the
    /// page, with the field's name. The log has a text for developers.
    ///
    /// - Parameter word: The sentence for a mistake; nil for the default one, in English. Called on
    ///   the server's threads.
    /// - Returns: The page.
    public func wordingMistakes(
        _ word: @escaping @Sendable (_ mistake: FieldMistake) -> String?
    ) -> Page {
        var page = self
        page.wording = word
        return page
    }
}
#endif
