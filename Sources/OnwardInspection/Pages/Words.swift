// SPDX-License-Identifier: MIT

internal import Foundation

/// Times and sizes for people to read.
package enum Words {
    /// The time of day, `14:03:22.123`, where the program runs.
    package static func time(_ nanoseconds: Int64) -> String {
        guard nanoseconds > 0 else { return "" }
        let seconds = nanoseconds / 1_000_000_000
        let date = Date(timeIntervalSince1970: Double(seconds))
        let local = Int(seconds) + TimeZone.current.secondsFromGMT(for: date)
        let day = local % 86_400
        return [day / 3_600, day / 60 % 60, day % 60].map { two($0) }.joined(separator: ":")
            + "." + three(Int(nanoseconds / 1_000_000 % 1_000))
    }

    /// How much later something was, `+12 ms`.
    package static func delta(_ nanoseconds: Int64) -> String {
        nanoseconds < 0 ? "–" : "+" + span(nanoseconds)
    }

    /// A time span, `12 ms`, or `1.9 ms` if it is short; rounded so that sums and parts agree.
    package static func span(_ nanoseconds: Int64) -> String {
        func rounded(_ unit: Int64) -> Int64 { (nanoseconds + unit / 2) / unit }
        switch nanoseconds {
        case ..<1_000: return "\(nanoseconds) ns"
        case ..<9_950: return "\(tenths(rounded(100))) µs"
        case ..<999_500: return "\(rounded(1_000)) µs"
        case ..<9_950_000: return "\(tenths(rounded(100_000))) ms"
        case ..<999_500_000: return "\(rounded(1_000_000)) ms"
        case ..<59_950_000_000: return "\(tenths(rounded(100_000_000))) s"
        case ..<3_600_000_000_000: return "\(rounded(60_000_000_000)) min"
        default: return "\(nanoseconds / 3_600_000_000_000) h"
        }
    }

    /// A text in which anything that looks like an id is shortened, `routing.114226…89550`.
    package static func withShortIDs(_ text: String) -> String {
        var words: [String] = []
        var word = ""
        for letter in text + " " {
            if letter.isHexDigit || letter == "-" {
                word.append(letter)
            } else {
                words.append(word.count > 20 ? "\(word.prefix(6))…\(word.suffix(4))" : word)
                words.append(String(letter))
                word = ""
            }
        }
        return String(words.joined().dropLast())
    }

    /// A size, `1.2 MB`.
    package static func bytes(_ count: Int) -> String {
        switch count {
        case ..<1_000: "\(count) B"
        case ..<1_000_000: "\(count / 1_000) kB"
        default: "\(tenths(Int64(count / 100_000))) MB"
        }
    }

    private static func tenths(_ number: Int64) -> String { "\(number / 10).\(number % 10)" }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func three(_ number: Int) -> String {
        number < 10 ? "00\(number)" : number < 100 ? "0\(number)" : "\(number)"
    }
}
