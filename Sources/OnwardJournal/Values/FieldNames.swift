// SPDX-License-Identifier: MIT

/// How the names of fields differ between Swift's coding and ours.
///
/// Swift calls the unlabelled payloads of an enum's case `_0`, `_1` …; a log should not say that, so
/// they are `value`, `value1` … there, as on the wire of a page.
package enum FieldNames {
    /// What a key is called in a ``DataValue``.
    package static func written<Key: CodingKey>(_ key: Key) -> String {
        let name = key.stringValue
        guard name.utf8.first == UInt8(ascii: "_"), let number = Int(name.dropFirst()),
            areRenamed(Key.self)
        else { return name }
        return renamed(number)
    }

    /// Whether the keys are those of a case with unlabelled payloads, none of which would get the name
    /// of a label: two fields with one name could not be distinguished.
    ///
    /// Keys that take any text, such as those of a dictionary, are left as they are.
    private static func areRenamed<Key: CodingKey>(_ type: Key.Type) -> Bool {
        guard Key(stringValue: "_0") != nil, Key(stringValue: "") == nil else { return false }
        var number = 0
        repeat {
            guard Key(stringValue: renamed(number)) == nil else { return false }
            number += 1
        } while Key(stringValue: "_\(number)") != nil
        return true
    }

    private static func renamed(_ number: Int) -> String {
        number == 0 ? "value" : "value\(number)"
    }
}

/// A key made of a text or a number.
struct PlainKey: CodingKey {
    private let text: String?
    let intValue: Int?
    var stringValue: String { text ?? "\(intValue ?? 0)" }

    init(stringValue: String) {
        text = stringValue
        intValue = Int(stringValue)
    }

    init(intValue: Int) {
        text = nil
        self.intValue = intValue
    }

    /// The key under which a class encodes what it inherits.
    static var `super`: PlainKey { PlainKey(stringValue: "super") }
}
