// SPDX-License-Identifier: MIT

/// Texts as parts of a URL (RFC 3986 § 2.1).
enum PercentEncoding {
    /// The text's UTF-8 with all but unreserved characters (§ 2.3) as `%` and two digits.
    static func encode(_ text: String) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var result = String.UnicodeScalarView()
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.append(Unicode.Scalar(byte))
            } else {
                result.append("%")
                result.append(digit(byte >> 4))
                result.append(digit(byte & 0xF))
            }
        }
        return String(result)
    }

    /// The text behind the bytes; nil when a `%` isn't followed by two digits or the bytes are
    /// not UTF-8.
    static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(value(of:)),
                    let low = rest.popFirst().flatMap(Self.value)
                else { return nil }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            default: decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10)
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
