// SPDX-License-Identifier: MIT
#if Server

import NIOCore
import Onward
import Testing

@testable import OnwardServer

@Suite struct `What waits for slow readers` {
    /// The readers that were cut off.
    private final class Cuts: Sendable {
        private let kept = Guarded<[Int]>([])
        var all: [Int] { kept.withValue { $0 } }
        func cut(_ reader: Int) -> @Sendable () -> Void {
            { [kept] in kept.withValue { $0.append(reader) } }
        }
    }

    @Test func `counts once for all that wait for the same bytes`() {
        let (backlog, cuts) = (Backlog(limit: 1_000), Cuts())
        let event = ByteBuffer(repeating: 1, count: 900)
        for reader in 1...100 { _ = backlog.begin(event, cut: cuts.cut(reader)) }
        #expect(cuts.all.isEmpty)
    }

    @Test func `is cut where it is too much, the longest wait first, and no more than needed`() {
        let (backlog, cuts) = (Backlog(limit: 1_000), Cuts())
        let events = (0...4).map { ByteBuffer(repeating: UInt8($0), count: 400) }
        let waits = (0...1).map { backlog.begin(events[$0], cut: cuts.cut($0)) }
        _ = backlog.begin(events[2], cut: cuts.cut(2))
        #expect(cuts.all == [0])
        backlog.end(waits[0])
        backlog.end(waits[1])
        _ = backlog.begin(events[3], cut: cuts.cut(3))
        #expect(cuts.all == [0])
        _ = backlog.begin(events[4], cut: cuts.cut(4))
        #expect(cuts.all == [0, 2])
    }

    @Test func `one event may be larger than the limit`() {
        let (backlog, cuts) = (Backlog(limit: 10), Cuts())
        let events = [ByteBuffer(repeating: 1, count: 900), ByteBuffer(repeating: 2, count: 900)]
        for reader in 0...3 { _ = backlog.begin(events[0], cut: cuts.cut(reader)) }
        #expect(cuts.all.isEmpty)
        _ = backlog.begin(events[1], cut: cuts.cut(4))
        #expect(cuts.all == [0, 1, 2, 3])
    }

    @Test func `a table counts what it holds`() {
        var table = BacklogTable(limit: 1_000)
        let first = table.begin(storage: 1, size: 300) {}.wait
        let second = table.begin(storage: 1, size: 300) {}.wait
        #expect(table.size == 300)
        table.end(first)
        #expect(table.size == 300)
        table.end(second)
        table.end(second)
        #expect(table.size == 0)
    }

    @Test func `readers that lack the same are sent the same bytes`() throws {
        var renderer = PageRenderer(try Table.page(), epoch: "e")
        let pages = try (0...4).map { version in
            var table = Table()
            table.ticks = version
            return try renderer.render(table, version: CommitVersion(version))
        }
        func storage(_ known: EventID?) throws -> Int {
            try #require(pages[4].event(after: known)).withUnsafeReadableBytes {
                Int(bitPattern: $0.baseAddress)
            }
        }
        let known = [nil, pages[0].id, pages[1].id, pages[3].id]
        let (first, second) = try (known.map(storage), known.map(storage))
        #expect(first == second)
        #expect(Set(first).count == 4)
    }
}
#endif
