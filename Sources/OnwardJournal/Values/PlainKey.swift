// SPDX-License-Identifier: MIT

/// A coding key made of a text or a number.
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
