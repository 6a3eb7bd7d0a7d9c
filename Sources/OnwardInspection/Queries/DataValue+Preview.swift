// SPDX-License-Identifier: MIT

package import OnwardJournal

extension DataValue {
    /// The beginning of the value as JSON; an ellipsis for what doesn't fit or wasn't encoded.
    ///
    /// - Parameters:
    ///   - limit: The approximate number of bytes.
    ///   - levels: How many levels below the value were encoded; a null below them stands for more.
    /// - Returns: A single line.
    /// - Complexity: O(limit), and the sorting of names, however large the value is.
    package func preview(_ limit: Int, encoded levels: Int = .max) -> String {
        var text = ""
        var room = limit
        write(to: &text, &room, depth: 0, levels)
        return text
    }

    private func write(to text: inout String, _ room: inout Int, depth: Int, _ levels: Int) {
        func append(_ piece: some StringProtocol) {
            text += piece
            room -= piece.utf8.count
        }
        switch self {
        case .null: append(depth > levels ? "…" : "null")
        case .bool(let bool): append("\(bool)")
        case .integer(let integer): append("\(integer)")
        case .unsigned(let integer): append("\(integer)")
        case .number(let number): append("\(number)")
        case .bytes(let bytes): append("‹\(bytes.count) bytes›")
        case .text(let string):
            let beginning = String(string.unicodeScalars.prefix(max(room, 1)))
            let isWhole = beginning.utf8.count == string.utf8.count
            let quoted = String(
                decoding: DataFormat.json.bytes(of: .text(beginning)), as: UTF8.self)
            append((isWhole ? quoted : quoted.dropLast() + "…\"").visible)
        case .list(let values):
            append("[")
            for (index, value) in values.enumerated() {
                if index > 0 { append(", ") }
                guard room > 0, depth < 8, depth < levels || value != .null else {
                    append("…")
                    break
                }
                value.write(to: &text, &room, depth: depth + 1, levels)
            }
            append("]")
        case .object(let fields):
            append("{")
            for (index, field) in fields.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { append(", ") }
                guard room > 0, depth < 8 else {
                    append("…")
                    break
                }
                append(String(field.key.unicodeScalars.prefix(max(room, 1))).visible + ": ")
                field.value.write(to: &text, &room, depth: depth + 1, levels)
            }
            append("}")
        }
    }
}
