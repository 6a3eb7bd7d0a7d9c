// SPDX-License-Identifier: MIT

/// An expense as somebody enters it, in a form or on a command line: texts that may be wrong.
struct Entry {
    /// Who was paid.
    var payee: String
    /// How much it was: "12.50".
    var amount: String
    /// What it was for, by the raw value of a ``Category``.
    var category: String
    /// When it was: "2026-11-03".
    var day: String

    /// What is wrong with it, in a sentence; nil if it is fine.
    var problem: String? { mistake?.sentence }

    /// What is wrong with it, and in which field; nil if it is fine.
    var mistake: (field: String, sentence: String)? {
        if name.isEmpty { return ("payee", "Please enter who was paid.") }
        if name.count > 80 { return ("payee", "The name is too long: 80 characters are enough.") }
        if Money(amount) == nil { return ("amount", "Please enter an amount such as 12.50.") }
        if Category(rawValue: category) == nil {
            let all = Category.allCases.map(\.rawValue).joined(separator: ", ")
            let name = category.prefix(20)
            return ("category", "There is no category \"\(name)\". There are \(all).")
        }
        if Day(day) == nil { return ("day", "Please enter a day such as 2026-11-03.") }
        return nil
    }

    /// The expense that it makes; nil if something is wrong.
    func expense(_ id: Int) -> Expense? {
        guard problem == nil, let day = Day(day), let category = Category(rawValue: category),
            let amount = Money(amount)
        else { return nil }
        return Expense(id: id, day: day, payee: name, category: category, amount: amount)
    }

    private var name: String {
        String(payee.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint })
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
