// SPDX-License-Identifier: MIT

/// How the names of fields differ between Swift's coding and ours.
///
/// Swift calls the unlabelled payloads of an enum's case `_0`, `_1` …; a log or a page should not say that, so
/// they are `value`, `value1` … there.
package enum FieldNames {
    /// What a key is called in a log and on the wire of a page.
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
        areUnlabelled(type) && sharedName(in: type) == nil
    }

    /// The name that an unlabelled payload and a label of one case both would get.
    static func clash<Key: CodingKey>(in type: Key.Type) -> String? {
        areUnlabelled(type) ? sharedName(in: type) : nil
    }

    private static func sharedName<Key: CodingKey>(in type: Key.Type) -> String? {
        var number = 0
        repeat {
            let name = renamed(number)
            if Key(stringValue: name) != nil { return name }
            number += 1
        } while Key(stringValue: "_\(number)") != nil
        return nil
    }

    private static func areUnlabelled<Key: CodingKey>(_ type: Key.Type) -> Bool {
        Key(stringValue: "_0") != nil && Key(stringValue: "") == nil
    }

    private static func renamed(_ number: Int) -> String {
        number == 0 ? "value" : "value\(number)"
    }
}
