// SPDX-License-Identifier: MIT
#if All

/// The code that lets a device in: short enough to type, and too long to guess.
enum PairingCode {
    /// Digits and capital letters that can't be confused.
    private static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// A code of 50 random bits: at a thousand tries a second, it lasts thousands of years.
    static func random(using generator: some RandomNumberGenerator) -> String {
        var generator = generator
        let letters = (0..<10).map { _ in Self.letters[Int.random(in: 0..<32, using: &generator)] }
        return String(letters.prefix(5)) + "-" + String(letters.suffix(5))
    }

    /// Whether a chosen code can be part of an address, and isn't too short.
    static func isSafe(_ code: String) -> Bool {
        code.utf8.count >= 8
            && code.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._~".contains($0)) }
    }
}
#endif
