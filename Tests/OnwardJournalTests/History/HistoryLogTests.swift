// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import Testing

@testable import struct TestSupport.SeededGenerator

/// The semantics of Redux DevTools' log, a row of a table each.
struct HistoryLogTests {
    /// Appends a letter; the state is what was appended so far.
    struct Letter: Action, Equatable { let text: String }

    private static func makeLog(_ letters: String = "", limit: Int = 100, spacing: Int = 3)
        -> HistoryLog<String>
    {
        var log = HistoryLog(from: ">", limit: limit, spacing: spacing) { entries, state in
            entries.reduce(state) { $0 + (($1.action as? Letter)?.text ?? "?") }
        }
        for letter in letters { perform(letter, &log) }
        return log
    }

    @discardableResult
    private static func perform(
        _ letter: Character, _ log: inout HistoryLog<String>
    ) -> HistoryLog<String>.Outcome {
        log.perform(HistoryEntry(id: 0, action: Letter(text: String(letter))))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let change: @Sendable (inout HistoryLog<String>) -> Void
        let shown: String
        let cursor: Int
        let ids: [Int]
        var end: String?
        var testDescription: String { rule }
    }

    /// Each begins with the entries a, b, c, d, e.
    static let rows: [Row] = [
        Row(
            rule: "an action at the end takes the cursor along", change: { perform("f", &$0) },
            shown: ">abcdef", cursor: 6, ids: [1, 2, 3, 4, 5, 6]),
        Row(
            rule: "a jump shows a moment", change: { $0.jump(to: 2) }, shown: ">ab", cursor: 2,
            ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "index 0 is the base", change: { $0.jump(to: 0) }, shown: ">", cursor: 0,
            ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "a jump to an entry shows the moment after it", change: { $0.jump(toEntry: 4) },
            shown: ">abcd", cursor: 4, ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "a jump to nowhere does nothing",
            change: {
                $0.jump(to: 6)
                $0.jump(to: -1)
                $0.jump(toEntry: 77)
            }, shown: ">abcde", cursor: 5, ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "after a jump back an action is appended, and the cursor stays",
            change: {
                $0.jump(to: 2)
                perform("f", &$0)
            }, shown: ">ab", cursor: 2, ids: [1, 2, 3, 4, 5, 6], end: ">abcdef"),
        Row(
            rule: "a skipped entry repeats the state before it", change: { $0.toggle(2) },
            shown: ">acde", cursor: 5, ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "toggling twice is as if nothing had happened",
            change: {
                $0.toggle(2)
                $0.toggle(2)
            }, shown: ">abcde", cursor: 5, ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "a range is skipped at once", change: { $0.setActive(false, 2...4) },
            shown: ">ae", cursor: 5, ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "a range is activated at once",
            change: {
                $0.setActive(false, 1...5)
                $0.setActive(true, 3...9)
            }, shown: ">cde", cursor: 5, ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "the base is never skipped", change: { $0.toggle(0) }, shown: ">abcde", cursor: 5,
            ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "an entry moves before another one", change: { $0.move(4, before: 2) },
            shown: ">adbce", cursor: 5, ids: [1, 4, 2, 3, 5]),
        Row(
            rule: "an entry moves behind others", change: { $0.move(1, before: 5) },
            shown: ">bcdae", cursor: 5, ids: [2, 3, 4, 1, 5]),
        Row(
            rule: "before the base means the beginning", change: { $0.move(3, before: 0) },
            shown: ">cabde", cursor: 5, ids: [3, 1, 2, 4, 5]),
        Row(
            rule: "before a number that is still to come means the end",
            change: { $0.move(2, before: 77) },
            shown: ">acdeb", cursor: 5, ids: [1, 3, 4, 5, 2]),
        Row(
            rule: "before a number that was swept means the beginning",
            change: {
                $0.toggle(2)
                $0.sweep()
                $0.move(4, before: 2)
            },
            shown: ">dace", cursor: 4, ids: [4, 1, 3, 5]),
        Row(
            rule: "an entry that is not there does not move", change: { $0.move(77, before: 2) },
            shown: ">abcde", cursor: 5, ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "a number that is still to come is skipped when it comes",
            change: {
                $0.toggle(6)
                perform("f", &$0)
                perform("g", &$0)
            }, shown: ">abcdeg", cursor: 7, ids: [1, 2, 3, 4, 5, 6, 7]),
        Row(
            rule: "a range skips nothing that is still to come",
            change: {
                $0.setActive(false, 5...9)
                perform("f", &$0)
            }, shown: ">abcdf", cursor: 6, ids: [1, 2, 3, 4, 5, 6]),
        Row(
            rule: "the cursor keeps its index when entries move",
            change: {
                $0.jump(to: 2)
                $0.move(5, before: 1)
            }, shown: ">ea", cursor: 2, ids: [5, 1, 2, 3, 4]),
        Row(
            rule: "sweeping drops what is skipped",
            change: {
                $0.setActive(false, 2...3)
                $0.sweep()
            }, shown: ">ade", cursor: 3, ids: [1, 4, 5]),
        Row(
            rule: "sweeping keeps the cursor inside",
            change: {
                $0.setActive(false, 1...4)
                $0.jump(to: 4)
                $0.sweep()
            }, shown: ">e", cursor: 1, ids: [5]),
        Row(
            rule: "committing makes the shown state the base",
            change: {
                $0.jump(to: 3)
                $0.commit()
            }, shown: ">abc", cursor: 0, ids: []),
        Row(
            rule: "numbers begin again after committing",
            change: {
                $0.commit()
                perform("f", &$0)
            }, shown: ">abcdef", cursor: 1, ids: [1]),
        Row(
            rule: "rolling back returns to the base",
            change: {
                $0.jump(to: 3)
                $0.commit()
                perform("x", &$0)
                $0.rollback()
            }, shown: ">abc", cursor: 0, ids: []),
        Row(
            rule: "resetting returns to the first state",
            change: {
                $0.commit()
                perform("x", &$0)
                $0.reset()
            }, shown: ">", cursor: 0, ids: []),
        Row(
            rule: "a locked log ignores actions",
            change: {
                $0.lock()
                perform("f", &$0)
            }, shown: ">abcde", cursor: 5, ids: [1, 2, 3, 4, 5]),
        Row(
            rule: "an unlocked log takes them again",
            change: {
                $0.lock()
                $0.lock(false)
                perform("f", &$0)
            }, shown: ">abcdef", cursor: 6, ids: [1, 2, 3, 4, 5, 6]),
        Row(
            rule: "a pause empties the log; actions run and are not recorded",
            change: {
                $0.pause()
                perform("f", &$0)
                perform("g", &$0)
            }, shown: ">abcdefg", cursor: 0, ids: []),
        Row(
            rule: "a pause begins with what is shown",
            change: {
                $0.jump(to: 2)
                $0.pause()
                perform("f", &$0)
            }, shown: ">abf", cursor: 0, ids: []),
        Row(
            rule: "rolling back in a pause stays there",
            change: {
                $0.pause()
                perform("f", &$0)
                $0.rollback()
            }, shown: ">abcdef", cursor: 0, ids: []),
        Row(
            rule: "nothing can be toggled in a pause",
            change: {
                $0.pause()
                perform("f", &$0)
                $0.toggle(1)
                $0.pause(false)
            }, shown: ">abcdef", cursor: 0, ids: []),
        Row(
            rule: "the end of a pause commits",
            change: {
                $0.pause()
                perform("f", &$0)
                $0.pause(false)
                perform("g", &$0)
            }, shown: ">abcdefg", cursor: 1, ids: [1]),
    ]

    @Test(arguments: rows)
    func `keeps the rule`(row: Row) {
        var log = Self.makeLog("abcde")
        row.change(&log)
        #expect(log.shownState() == row.shown)
        #expect(log.cursor == row.cursor)
        #expect(log.staged.map(\.id) == row.ids)
        if let end = row.end { #expect(log.state(at: log.staged.count) == end) }
    }

    @Test func `says what became of an action`() {
        var log = Self.makeLog("a")
        #expect(Self.perform("b", &log) == .shown)
        log.jump(to: 0)
        #expect(Self.perform("c", &log) == .recorded)
        log.jump(to: 3)
        log.pause()
        #expect(Self.perform("d", &log) == .unrecorded)
        log.lock()
        #expect(Self.perform("e", &log) == .ignored)
    }

    @Test func `over the limit the oldest entries are folded into the base`() {
        var log = Self.makeLog("abcdefgh", limit: 5)
        #expect(log.base == ">abc")
        #expect(log.staged.map(\.id) == [4, 5, 6, 7, 8])
        #expect(log.shownState() == ">abcdefgh")
        #expect(log.cursor == 5)
        log.jump(to: 2)
        Self.perform("i", &log)
        #expect(log.base == ">abcd")
        #expect(log.cursor == 1)
        #expect(log.shownState() == ">abcde")
        for letter in "jklmn" { Self.perform(letter, &log) }
        #expect(log.cursor == 0)
        #expect(log.shownState() == ">abcdefghi")
    }

    @Test func `a loaded log is the old one again, and a broken one changes nothing`() {
        var log = Self.makeLog("abc")
        let entries = Array(log.staged)
        let isLoaded = log.load(base: "#", staged: entries, skipped: [2, 9], cursor: 2)
        #expect(isLoaded)
        #expect(log.shownState() == "#a")
        #expect(log.skipped == [2, 9])
        #expect(log.nextID == 4)
        let isDoubled = log.load(base: "!", staged: entries + entries, cursor: 0)
        let isOutside = log.load(base: "!", staged: entries, cursor: 4)
        #expect(!isDoubled && !isOutside)
        #expect(log.base == "#")
    }

    @Test func `random changes give what a log that keeps no states would give`() {
        for seed in 0..<30 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var log = Self.makeLog(
                "abcdefgh", limit: 40, spacing: Int.random(in: 1...7, using: &generator))
            for _ in 0..<200 {
                let id = Int.random(in: 0...12, using: &generator)
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: log.jump(to: id)
                case 1: log.toggle(id)
                case 2: log.setActive(Bool.random(using: &generator), id...id + 3)
                case 3: log.move(id, before: Int.random(in: 0...12, using: &generator))
                case 4 where id == 0: log.sweep()
                case 5: _ = log.state(at: id)
                default: Self.perform("abcdefgh".randomElement(using: &generator) ?? "x", &log)
                }
                let texts = log.staged.prefix(log.cursor)
                    .filter { !log.skipped.contains($0.id) }
                    .map { ($0.action as? Letter)?.text ?? "?" }
                #expect(log.shownState() == log.base + texts.joined(), "seed \(seed)")
            }
        }
    }

    @Test func `jumping runs no more entries than lie between two kept states`() {
        let counter = Counter()
        var log = HistoryLog(from: 0, spacing: 100) { entries, state in
            counter.add(entries.count)
            return state + entries.count
        }
        for _ in 0..<10_000 { log.perform(HistoryEntry(id: 0, action: Letter(text: "a"))) }
        #expect(log.state(at: 10_000) == 10_000)
        // As many as an array of 8 MB, which states don't share, can be kept of.
        #expect(log.snapshotCount == 16)
        _ = counter.take()
        for index in [17, 9_999, 5_050, 1, 7_777] { #expect(log.state(at: index) == index) }
        #expect(counter.take() < 5 * 2_000)
        // A slider that goes back runs a few for each step.
        _ = log.state(at: 7_500)
        _ = counter.take()
        for index in (7_400..<7_500).reversed() { #expect(log.state(at: index) == index) }
        #expect(counter.take() < 100 * 100 + 2_000)
    }

    @Test func `a log that is loaded is cut with the next action only`() {
        var log = Self.makeLog("abcdefgh")
        let entries = Array(log.staged)
        log = Self.makeLog(limit: 3)
        let isLoaded = log.load(base: ">", staged: entries, cursor: 7)
        #expect(isLoaded && log.staged.count == 8)
        #expect(log.shownState() == ">abcdefg")
        Self.perform("i", &log)
        #expect(log.staged.map(\.id) == [7, 8, 9])
        #expect(log.base == ">abcdef")
        #expect(log.cursor == 1 && log.shownState() == ">abcdefg")
    }

    @Test func `what is folded is run a few entries at a time`() {
        let counter = Counter()
        var log = HistoryLog(from: 0, limit: 1_000, spacing: 1_000_000) { entries, state in
            counter.add(entries.count)
            return state + entries.count
        }
        var most = 0
        for _ in 0..<5_000 {
            log.perform(HistoryEntry(id: 0, action: Letter(text: "a")))
            most = max(most, counter.take())
        }
        #expect(most == 32)
        #expect(log.staged.count == 1_000)
        #expect(log.base == 4_000)
    }
}

/// Counts from closures that may run anywhere.
final class Counter: Sendable {
    private let value = Guarded(0)

    func add(_ count: Int) { value.withValue { $0 += count } }

    var total: Int { value.withValue { $0 } }

    func take() -> Int {
        value.withValue { value in
            defer { value = 0 }
            return value
        }
    }
}
