// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardJournal
@testable import TestSupport

struct EntryAgesTests {
    private let journal = MemoryJournal()
    /// What the wall clock says, in seconds since 1970.
    private let wall = Guarded<Int64>(1_700_000_000)
    /// By how many seconds its next reading is wrong.
    private let nextError = Guarded<Int64>(0)
    private let clock = ManualClock()
    private let reports = Guarded<[JournalError]>([])

    private func open() async throws -> Persistence<Basket> {
        var store = StoreOptions()
        store.wallClock = { [wall, nextError] in
            let error = nextError.withValue { error in
                defer { error = 0 }
                return error
            }
            return Timestamp(
                nanosecondsSince1970: (wall.withValue { $0 } + error) * 1_000_000_000)
        }
        var options = PersistenceOptions<Basket>()
        options.retention = .recent(.seconds(86_400))
        options.recording.snapshotSpacing = 10
        options.recording.clock = clock
        options.recording.report = { [reports] error in reports.withValue { $0.append(error) } }
        return try await Persistence(
            of: Basket(), in: Unclosed(base: journal), options: options, storeOptions: store
        ) { basket }
    }

    /// Lets an hour pass for both clocks.
    private func passAnHour() {
        wall.withValue { $0 += 3_600 }
        clock.advance(by: .seconds(3_600))
    }

    /// What a clock does in the course of 100 hours.
    enum Odd: String, CaseIterable, CustomTestStringConvertible {
        case right, yearsAheadOnce, backOnce, backForHours, backAndOn, frozen
        case jumping, neverSetAtFirst, aheadAtFirst, behindAtFirst, behindForAnHour

        /// By how many seconds it is wrong in an hour.
        func error(in hour: Int) -> Int64 {
            let years: Int64 = 2 * 365 * 86_400
            switch self {
            case .right: return 0
            case .yearsAheadOnce: return hour == 50 ? years : 0
            case .backOnce: return hour == 50 ? -years : 0
            case .backForHours: return (50..<80).contains(hour) ? -years : 0
            case .backAndOn: return hour >= 50 ? -40 * 3_600 : 0
            case .frozen: return (30..<70).contains(hour) ? Int64(30 - hour) * 3_600 : 0
            case .jumping: return hour % 3 == 0 ? (hour % 2 == 0 ? years : -years) : 0
            case .neverSetAtFirst: return hour < 30 ? -1_700_000_000 : 0
            case .aheadAtFirst: return hour < 30 ? years : 0
            case .behindAtFirst: return hour < 30 ? -10 * 86_400 : 0
            case .behindForAnHour: return hour == 0 ? -10 * 86_400 : 0
            }
        }

        var testDescription: String { rawValue }
    }

    @Test(arguments: Odd.allCases)
    func `whatever the clock says, nothing of the last day is discarded`(odd: Odd) async throws {
        let app = try await open()
        for hour in 0..<100 {
            let error = odd.error(in: hour)
            wall.withValue { $0 += error }
            for _ in 0..<10 { try await app.dispatch(add("pear")) }
            // With the snapshot behind these entries, and the pass that comes with it.
            try await app.recorder.rest()
            wall.withValue { $0 -= error }
            let first = try await journal.firstVersion()
            // Ten entries an hour.
            #expect(Int(first) <= max(hour - 24, 0) * 10 + 1, "\(odd) in hour \(hour)")
            passAnHour()
        }
        try await app.shutdown()
        let first = try await journal.firstVersion()
        switch odd {
        case .right:
            #expect(first > 60 * 10)
            #expect(reports.withValue { $0 }.isEmpty)
        case .yearsAheadOnce, .backOnce, .frozen:
            #expect(first > 1)
            fallthrough
        default:
            #expect(reports.withValue { $0 }.contains { $0.code == .clock })
        }
    }

    @Test func `one entry with another date is reported, and counts for nothing`() async throws {
        let app = try await open()
        for hour in 0..<60 {
            for number in 0..<10 {
                if hour == 20, number == 5 {
                    // The writer rests, so the next one to read the clock dates this entry.
                    try await app.recorder.rest()
                    nextError.withValue { $0 = -500_000 }
                }
                app.store.dispatch(add("pear"))
            }
            try await app.recorder.rest()
            #expect(Int(try await journal.firstVersion()) <= max(hour - 24, 0) * 10 + 1)
            passAnHour()
        }
        let odd = reports.withValue { $0 }
        #expect(odd.map(\.code) == [.clock])
        #expect(odd.first?.description.contains("went back by 500000 s before version 206") == true)
        #expect(try await journal.firstVersion() > 200)
        try await app.shutdown()
    }

    @Test func `what looks old is discarded when it still does after an hour`() async throws {
        let first = try await open()
        for _ in 0..<20 { try await first.dispatch(add("pear")) }
        try await first.shutdown()
        wall.withValue { $0 += 40 * 86_400 }
        let app = try await open()
        for _ in 0..<20 { try await app.dispatch(add("fig")) }
        try await app.recorder.rest()
        #expect(try await journal.firstVersion() == 1)
        passAnHour()
        for _ in 0..<20 { try await app.dispatch(add("plum")) }
        try await app.shutdown()
        #expect((2...21).contains(try await journal.firstVersion()))
    }

    @Test func `what a program has appended is as old as the time that it has been running since`()
    {
        func entries(_ versions: ClosedRange<CommitVersion>) -> [JournalEntry] {
            versions.map { JournalEntry(version: $0, name: "") }
        }
        var appended = AppendedVersions(upTo: .seconds(3_200))
        #expect(appended.newestOld(at: .zero) == .max)
        appended.add(entries(11...20), at: .seconds(0))
        appended.add(entries(21...30), at: .seconds(99))
        appended.add(entries(31...40), at: .seconds(100))
        #expect(appended.newestOld(at: .seconds(3_298)) == 10)
        #expect(appended.newestOld(at: .seconds(3_299)) == 30)
        #expect(appended.newestOld(at: .seconds(3_300)) == 40)
        appended.add(entries(41...41), at: .seconds(9_000))
        #expect(appended.newestOld(at: .seconds(9_100)) == 40)
        appended.add([], at: .seconds(90_000))
        #expect(appended.newestOld(at: .seconds(90_000)) == 41)
    }

    @Test func `two passes have to be an hour apart, and each in between counts`() {
        var passes = RetentionPasses()
        func agree(_ limit: CommitVersion, _ minutes: Int) -> CommitVersion {
            passes.agree(on: limit, at: .seconds(minutes * 60))
        }
        #expect(agree(100, 0) == 0)
        #expect(agree(100, 59) == 0)
        #expect(agree(120, 60) == 100)
        #expect(agree(90, 90) == 0)
        #expect(agree(200, 120) == 90)
        #expect(agree(300, 240) == 200)
    }

    @Test func `a date counts unless it is in the future or before an earlier one`() {
        func newest(_ dates: Int64?..., now: Int64 = 2_000_000_000) -> CommitVersion {
            var scan = AgeScan(
                .seconds(100), at: Timestamp(nanosecondsSince1970: now * 1_000_000_000))
            for (index, date) in dates.enumerated() where !scan.isDone {
                scan.add(
                    JournalEntry(
                        version: CommitVersion(index + 1), name: "",
                        time: date.map { Timestamp(nanosecondsSince1970: $0 * 1_000_000_000) }))
            }
            return scan.newest
        }
        let (old, young): (Int64, Int64) = (1_999_999_000, 1_999_999_950)
        #expect(newest(old, old, young) == 1)
        #expect(newest(old, old, old, young) == 2)
        #expect(newest(old, old, old - 500, young) == 1)
        #expect(newest(old, young, old, old) == 0)
        #expect(newest(old, 3_000_000_000, old, old, young) == 3)
        #expect(newest(old, old, nil, old) == 3)
        // Clocks that were never set.
        #expect(newest(5, 6, 7, 8) == 0)
        #expect(newest(5, 6, 7, 8, now: 1_000) == 3)
        #expect(newest(now: 0) == 0)
    }
}
