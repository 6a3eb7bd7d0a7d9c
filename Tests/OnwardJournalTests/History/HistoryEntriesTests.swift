// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal
@testable import struct TestSupport.SeededGenerator

struct HistoryEntriesTests {
    struct Nothing: Action {}

    private static func entry(_ id: Int) -> HistoryEntry { HistoryEntry(id: id, action: Nothing()) }

    @Test func `has what an array would have, however much comes and goes`() {
        for seed in 0..<20 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var entries = HistoryEntries()
            var ids: [Int] = []
            var next = 1
            for _ in 0..<300 {
                if Bool.random(using: &generator) {
                    for _ in 0..<Int.random(in: 1...200, using: &generator) {
                        entries.append(Self.entry(next))
                        ids.append(next)
                        next += 1
                    }
                } else if !ids.isEmpty {
                    let number = Int.random(in: 0...min(ids.count, 400), using: &generator)
                    #expect(entries.dropping(number).first?.id == ids.dropFirst(number).first)
                    entries.removeFirst(number)
                    ids.removeFirst(number)
                }
                #expect(entries.count == ids.count)
                #expect(entries.last?.id == ids.last)
                let place = Int.random(in: 0...max(ids.count - 1, 0), using: &generator)
                if !ids.isEmpty { #expect(entries[place].id == ids[place]) }
            }
            #expect(entries.map(\.id) == ids)
        }
    }

    @Test func `what was removed is released, though a group of pages stays`() {
        final class Thing: Sendable {}
        struct Hold: Action { let thing: Thing }
        var thing: Thing? = Thing()
        weak let held = thing
        var entries = HistoryEntries()
        entries.append(HistoryEntry(id: 1, action: Hold(thing: thing ?? Thing())))
        thing = nil
        for id in 2...1_000 { entries.append(Self.entry(id)) }
        entries.removeFirst(1)
        #expect(held != nil)
        entries.removeFirst(99)
        #expect(held == nil)
        #expect(entries.first?.id == 101)
    }

    @Test(
        arguments: [
            (before: 3, after: 10, distance: 7), (before: 10, after: 3, distance: -7),
            (before: nil, after: 10, distance: nil), (before: 10, after: nil, distance: nil),
            (before: .min, after: .max, distance: nil),
        ] as [(before: Int64?, after: Int64?, distance: Int64?)])
    func `an entry says how long after the last one it came, where both times are known`(
        before: Int64?, after: Int64?, distance: Int64?
    ) {
        var entries = HistoryEntries()
        for (id, time) in [(1, before), (2, after)] {
            let time = time.map(Timestamp.init(nanosecondsSince1970:))
            entries.append(HistoryEntry(id: id, action: Nothing(), time: time))
        }
        #expect(entries.nanoseconds(before: 0) == nil)
        #expect(entries.nanoseconds(before: 1) == distance)
    }
}
