// SPDX-License-Identifier: MIT

import Testing
import ToDoTasks

@Suite struct CalendarDateTests {
    @Test(arguments: [
        ("24/12/2026", 2026, 12, 24), ("29/02/2024", 2024, 2, 29), ("29/02/2000", 2000, 2, 29),
        ("01/01/0001", 1, 1, 1), ("31/12/9999", 9_999, 12, 31),
    ])
    func `a day is read and written with slashes, hyphens and as a time stamp`(
        text: String, year: Int, month: Int, day: Int
    ) throws {
        let date = try #require(CalendarDate(slashed: text))
        #expect((date.year, date.month, date.day) == (year, month, day))
        #expect(date.slashed == text)
        #expect(CalendarDate(date.description) == date)
        #expect(CalendarDate(timestamp: date.timestamp) == date)
    }

    @Test func `the forms are those of the wire and of the browser`() {
        let date = CalendarDate(year: 987, month: 6, day: 5)
        #expect(date?.slashed == "05/06/0987")
        #expect(date?.description == "0987-06-05")
        #expect(date?.timestamp == "0987-06-05T00:00:00+0000")
    }

    @Test(arguments: [
        "29/02/2023", "29/02/1900", "31/04/2026", "00/01/2026", "01/13/2026", "01/00/2026",
        "32/01/2026", "01/01/0000", "1/1/2026", "01/01/26", "01-01-2026", "2026/01/01", "",
        " 01/01/2026", "01/01/2026 ", "--", "٠١/٠١/٢٠٢٦", "+1/01/2026", "01/01/20266",
    ])
    func `a text that is no day of the calendar isn't read`(text: String) {
        #expect(CalendarDate(slashed: text) == nil)
    }

    @Test(arguments: [
        "00:00:00+0000", "23:59:59+0000", "00:00:00-1200", "23:59:59-1100", "00:00:00+1400",
        "02:30:00+0100", "12:00:00+0545", "00:00:00Z", "00:00:00+01:00", "23:59:60+0000",
    ])
    func `a time stamp means the day that is written in it, whatever its time and offset`(
        time: String
    ) {
        let date = CalendarDate(timestamp: "2026-03-29T\(time)")
        #expect(date == CalendarDate(year: 2026, month: 3, day: 29))
    }

    @Test(arguments: [
        "2026-03-29", "2026-03-29T", "2026-03-29T00:00:00", "2026-03-29 00:00:00+0000",
        "2026-03-29T24:00:00+0000", "2026-03-29T00:60:00+0000", "2026-03-29T00:00:00+00",
        "2026-03-29T00:00:00 0000", "2026-03-29T00:00:00+0000Z", "2026-03-29T00:00:00.5+0000",
        "2026-02-30T00:00:00+0000", "29/03/2026", "2026-03-29T00:00:00z", "",
        "é026-03-29T00:00:00Z",
    ])
    func `a text that is no time stamp isn't read`(text: String) {
        #expect(CalendarDate(timestamp: text) == nil)
    }
}
