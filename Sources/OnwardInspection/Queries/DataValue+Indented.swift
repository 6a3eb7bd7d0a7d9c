// SPDX-License-Identifier: MIT

package import OnwardJournal

extension DataValue {
    /// The value as JSON with one part per line; an ellipsis replaces what does not fit.
    ///
    /// - Complexity: O(limit), and the sorting of names, however large the value is.
    package func indented(_ limit: Int) -> String {
        var text = ""
        var room = limit
        write(to: &text, &room, indentation: "")
        return text
    }

    private func write(to text: inout String, _ room: inout Int, indentation: String) {
        let deeper = indentation + "  "
        let (open, close) = list == nil ? ("{", "}") : ("[", "]")
        let parts = parts
        guard !parts.isEmpty else {
            let line = list != nil ? "[]" : fields != nil ? "{}" : preview(max(room, 1))
            text += line
            room -= line.utf8.count
            return
        }
        text += open
        for (index, part) in parts.enumerated() {
            guard room > 0, deeper.utf8.count < 128 else {
                text += "\n\(deeper)…"
                break
            }
            text += "\n" + deeper
            if list == nil { text += DataValue.text(part.step).preview(1_000) + ": " }
            room -= deeper.utf8.count + part.step.utf8.count
            part.value.write(to: &text, &room, indentation: deeper)
            if index + 1 < parts.count { text += "," }
        }
        text += "\n\(indentation)\(close)"
    }
}
