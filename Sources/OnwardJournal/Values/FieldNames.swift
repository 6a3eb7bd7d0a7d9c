// SPDX-License-Identifier: MIT

/// How the names of fields differ between Swift's coding and ours.
///
/// Swift calls the unlabelled payloads of an enum's case `_0`, `_1` …; a log should not say that, so
/// they are `value`, `value1` … there, as on the wire of a page.
struct FieldNames<Key: CodingKey> {
    /// Whether the keys are those of a case with unlabelled payloads, none of which is called `value`.
    ///
    /// Keys that take any text, such as those of a dictionary, are left as they are.
    private let areRenamed =
        Key(stringValue: "_0") != nil && Key(stringValue: "") == nil
        && Key(stringValue: "value") == nil

    func written(_ key: Key) -> String {
        let name = key.stringValue
        guard areRenamed, name.first == "_", let number = Int(name.dropFirst()) else { return name }
        return number == 0 ? "value" : "value\(number)"
    }
}

/// A key made of a text or a number.
struct PlainKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = Int(stringValue)
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    /// The key under which a class encodes what it inherits.
    static var `super`: PlainKey { PlainKey(stringValue: "super") }
}
