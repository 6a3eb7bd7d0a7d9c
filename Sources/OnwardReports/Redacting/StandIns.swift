// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward
internal import OnwardJournal

/// Makes values that take the place of redacted ones: random for each report, of the same type, and equal where the
/// originals were equal.
///
/// What stands for what is nowhere but in this value, which is dropped with it.
struct StandIns {
    private var known: [DataValue: DataValue] = [:]
    private var used: Set<DataValue> = []
    private var replacedIDs: Set<Int64> = []
    private var keptTexts: Set<String> = []
    private(set) var replaced = 0
    var count: Int { known.count }

    /// What stands for a text that was seen; nil for any other.
    func known(_ text: String) -> String? { known[.text(text)]?.text }

    /// Whether a value stands for another one.
    func standsFor(_ new: DataValue, _ value: DataValue) -> Bool { known[value] == new }

    /// Notes a text that something allows to leave the device.
    mutating func keep(_ text: String) { keptTexts.insert(text) }

    /// Notes a number that was replaced and is the id of a row.
    mutating func noteID(_ number: Int64) { replacedIDs.insert(number) }

    /// What stands for the id of a row in an address: what stands for it wherever else it is.
    mutating func standIn(forID id: String) -> String {
        if let known = known(id) { return known }
        if let number = Int64(id), String(number) == id {
            guard replacedIDs.contains(number) else { return id }
            let new = standIn(for: .integer(number))
            return new.integer(as: Int64.self).map { String($0) } ?? id
        }
        return keptTexts.contains(id) ? id : standIn(for: id)
    }

    /// Has a text stand for itself, as an id that a stamp has drawn: it says nothing of anybody, and is drawn again in a
    /// replay.
    mutating func keepAsItIs(_ text: String) {
        known[.text(text)] = .text(text)
        used.insert(.text(text))
    }

    /// What stands for a value that has no parts.
    mutating func standIn(for value: DataValue) -> DataValue {
        if case .null = value { return value }
        if value == .text("") || value == .bytes([]) { return value }
        replaced += 1
        if let known = known[value] { return known }
        var tries = 0
        while true {
            let new = Self.random(like: value, trying: tries)
            tries += 1
            // Of two truth values each stands for one.
            guard new != value || tries > 64, !used.contains(new) || tries > 64 else { continue }
            known[value] = new
            used.insert(new)
            return new
        }
    }

    mutating func standIn(for text: String) -> String {
        standIn(for: .text(text)).text ?? ""
    }

    private static func random(like value: DataValue, trying tries: Int) -> DataValue {
        switch value {
        case .null, .list, .object: value
        case .bool: .bool(.random())
        case .integer(let number): .integer(random(like: number))
        case .unsigned: .unsigned(.random(in: UInt64(Int64.max) + 1 ... .max))
        case .number(let number):
            .number(
                number.isFinite
                    ? Double(random(like: Int64(clamping: number))) + .random(in: 0..<1) : 0)
        case .bytes(let bytes): .bytes(bytes.map { _ in .random(in: 0...255) })
        case .text(let text): .text(random(like: text, trying: tries))
        }
    }

    /// A number that fits where the other one did.
    private static func random(like number: Int64) -> Int64 {
        let limits: [Int64] = [127, 32_767, 2_147_483_647]
        let limit = limits.first { number <= $0 && number >= -$0 } ?? .max / 2
        return number < 0 ? -.random(in: 1...limit) : .random(in: 1...limit)
    }

    private static func random(like text: String, trying tries: Int) -> String {
        if UUID(uuidString: text) != nil { return UUID().uuidString }
        if text.utf8.allSatisfy({ (48...57).contains($0) }) {
            // Short ones may run out.
            let count = text.utf8.count + tries / 8
            return String((0..<count).map { _ in Character("\(Int.random(in: 1...9))") })
        }
        let word = word()
        if text.contains("://") { return "https://\(word).invalid/" }
        if text.contains("@"), text.contains(".") { return "\(word)@\(Self.word()).invalid" }
        return word
    }

    /// Ten random letters, however long the original was.
    private static func word() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return String((0..<10).map { _ in letters[Int.random(in: letters.indices)] })
    }
}

extension Int64 {
    /// The nearest whole number.
    fileprivate init(clamping number: Double) {
        self = number >= 9e18 ? .max : number <= -9e18 ? -.max : Int64(number)
    }
}
