// SPDX-License-Identifier: MIT

import Testing

@testable import ExpensesCore

@Suite struct EntryTests {
    @Test(arguments: [
        ("12.50", 1_250), ("12,5", 1_250), ("12", 1_200), ("0.01", 1), ("1000000", 100_000_000),
    ])
    func `amounts are read to the cent`(text: String, cents: Int) {
        #expect(Money(text)?.cents == cents)
    }

    @Test(arguments: [
        "", "0", "0.00", "-1", "1.234", "1.", ".5", "1e3", "NaN", "1 000", "1000000.01", "٣",
        "1..2",
        "99999999999999999999",
    ])
    func `what is no amount is refused`(text: String) {
        #expect(Money(text) == nil)
    }

    @Test func `amounts are written with two decimals and thousands apart`() {
        #expect("\(Money(cents: 123_456_705))" == "1\u{202F}234\u{202F}567.05")
        #expect("\(Money(cents: -250))" == "−2.50")
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-11-31", "26-11-03", "2026-11-3", "",
        "2026-11-03 ", "2026/11/03", "٢٠٢٦-11-03",
    ])
    func `a day that the calendar doesn't have is refused`(text: String) {
        #expect(Day(text) == nil)
    }

    @Test func `days are in the order of the calendar, and know their month`() throws {
        let leap = try #require(Day("2024-02-29"))
        let next = try #require(Day("2024-03-01"))
        #expect(leap < next)
        #expect("\(leap)" == "2024-02-29")
        #expect(leap.month.name == "February 2024")
        #expect(Month("2024-01")?.previous == Month("2023-12"))
    }

    @Test(arguments: [
        ("", "1", "food", "2026-11-03", "Please enter who was paid."),
        ("\u{200B} \n", "1", "food", "2026-11-03", "Please enter who was paid."),
        ("A", "free", "food", "2026-11-03", "Please enter an amount such as 12.50."),
        ("A", "1", "food", "yesterday", "Please enter a day such as 2026-11-03."),
    ])
    func `an entry says what is wrong with it`(
        payee: String, amount: String, category: String, day: String, problem: String
    ) {
        let entry = Entry(payee: payee, amount: amount, category: category, day: day)
        #expect(entry.problem == problem)
        #expect(entry.expense(1) == nil)
    }
}
