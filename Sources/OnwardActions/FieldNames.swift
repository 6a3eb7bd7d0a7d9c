// SPDX-License-Identifier: MIT

/// How the names of fields differ between Swift's coding and this library's.
///
/// Swift calls the unlabelled payloads of an enum case by their positions, `_0`, `_1` …; in a log
/// or a page they are called `value`, `value1` … instead. If a label of the case already has such a
/// name, the payload keeps Swift's, so no two fields ever have the same name.
package enum FieldNames {
    /// What a key is called in a log and on the wire of a page.
    package static func written<Key: CodingKey>(_ key: Key) -> String {
        let name = key.stringValue
        return name.utf8.first == UInt8(ascii: "_") ? written(name, Key.self) : name
    }

    /// Apart, as the rest needs types that are looked up whenever the function is called.
    @inline(never)
    private static func written<Key: CodingKey>(_ name: String, _ type: Key.Type) -> String {
        guard let position = Int(name.dropFirst()), name == "_\(position)", !takesAnyText(type)
        else { return name }
        let short = written(at: position)
        return Key(stringValue: short) == nil ? short : name
    }

    /// The key of a field with a name in a log or on the wire; nil if the type has none.
    package static func key<Key: CodingKey>(named name: String, as type: Key.Type) -> Key? {
        if let key = Key(stringValue: name), written(key) == name { return key }
        let prefix = "value"
        guard name.hasPrefix(prefix) else { return nil }
        let digits = name.dropFirst(prefix.count)
        return Key(stringValue: "_\(digits.isEmpty ? "0" : digits)").flatMap {
            written($0) == name ? $0 : nil
        }
    }

    /// The name that an unlabelled payload and a label of the same case would share; nil if none.
    ///
    /// - Complexity: O(fields).
    static func clash<Key: CodingKey>(in type: Key.Type) -> String? {
        guard !takesAnyText(type) else { return nil }
        var labels = 0
        for name in names {
            if Key(stringValue: name.swift) == nil {
                labels += 1
                if labels == mostLabels { return nil }
            } else {
                labels = 0
                if Key(stringValue: name.written) != nil { return name.written }
            }
        }
        return nil
    }

    /// How many labelled fields may be between two unlabelled ones; none are looked for beyond.
    private static var mostLabels: Int { 8 }
    /// The names of payloads without a label, by their positions.
    private static let names = (0..<64).map { (swift: "_\($0)", written: written(at: $0)) }

    /// Whether the keys are such as those of a dictionary, which are left as they are.
    private static func takesAnyText<Key: CodingKey>(_ type: Key.Type) -> Bool {
        Key(stringValue: "") != nil
    }

    /// The name of a payload without a label.
    private static func written(at position: Int) -> String {
        position == 0 ? "value" : "value\(position)"
    }
}
