// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardReports

/// What a recorder costs the dispatching thread, and the disk.
struct Measurement {
    private let folder: String

    init(_ folder: String) { self.folder = folder }

    func run() async throws {
        let plain = Self.nanoseconds(for: Store(Dial()) { dial })
        let observed = Store(Dial()) { dial }
        let token = observed.log.attach(Ignoring())
        let read = Self.nanoseconds(for: observed)
        let block = UnsafeMutableRawPointer.allocate(byteCount: ReductionMark.size, alignment: 16)
        observed.log.mark(ReductionMark(block) { $0.deallocate() })
        let marked = Self.nanoseconds(for: observed)
        observed.log.mark(nil)
        token.cancel()
        let store = Store(Dial()) { dial }
        let recorder = try SessionRecorder(store, at: folder, keeping: .minutes(10))
        let recorded = Self.nanoseconds(for: store)
        await recorder.flush()
        print("ns a dispatch: \(plain) alone, \(read) with an observer that does nothing,")
        print("    \(marked) with the block as well, \(recorded) with a recorder")
        let paced = Store(Dial()) { dial }
        let other = try SessionRecorder(paced, at: folder + "-paced", keeping: .minutes(10))
        await other.flush()
        let before = Self.bytes(of: folder + "-paced")
        let name = String(repeating: "e", count: 64)
        for _ in 0..<200 {
            paced.dispatch(DialAction.click(by: name))
            try await Task.sleep(for: .milliseconds(10))
        }
        await other.flush()
        // 20 a second for 10 seconds, at five times the pace.
        print(
            "bytes a second at 20 actions a second:",
            (Self.bytes(of: folder + "-paced") - before) / 10)
        await recorder.stop()
        await other.stop()
        try await measureSnapshot()
        measureAlarm()
    }

    /// What a snapshot of a large array takes on disk, and what it costs that the state is held meanwhile.
    private func measureSnapshot() async throws {
        let rows = Store(Rows(numbers: Array(0..<100_000))) {
            Reduce { (rows: inout Rows, add: Add) in rows.numbers[add.number] = 0 }
        }
        let recorder = try SessionRecorder(rows, at: folder + "-rows")
        await recorder.flush()
        print("a snapshot of 100,000 numbers: \(Self.bytes(of: folder + "-rows")) bytes")
        await recorder.stop()
        var (free, copying) = (Int.max, Int.max)
        for number in 0..<20 {
            free = min(free, Self.time { rows.dispatch(Add(number: number)) })
            let held = rows.log.snapshot
            copying = min(copying, Self.time { rows.dispatch(Add(number: number)) })
            withExtendedLifetime(held) {}
        }
        print("ns a dispatch: \(free), the first one while it is held: \(copying)")
    }

    /// What a rolling digest of a large table costs.
    private func measureAlarm() {
        let store = Store(Catalogue(products: (0..<100_000).map { Product(id: $0) })) {
            Scope(
                each: \.products,
                Feature<Product> {
                    Reduce { (product: inout Product, _: View) in product.views += 1 }
                })
        }
        var digest = RollingDigest<Catalogue>(every: 100).table(\.products)
        let first = Self.time { _ = digest.digest(of: store.state) }
        var rolling = Int.max
        for round in 0..<20 {
            for number in 0..<100 {
                store.dispatch(
                    View(), to: .row(\.products, id: (round * 997 + number * 31) % 100_000))
            }
            rolling = min(rolling, Self.time { _ = digest.digest(of: store.state) })
        }
        print("ns for a digest of 100,000 rows: \(first) the first, \(rolling) after 100 entries")
    }

    private static func time(_ body: () -> Void) -> Int {
        let begin = threadTime()
        body()
        return threadTime() - begin
    }

    /// The processor time of this thread for a dispatch, at a pace that the writer follows: the least of 50 bursts, as
    /// others use the machine, too.
    private static func nanoseconds(for store: Store<Dial>) -> Int {
        let action = DialAction.click(by: "Emma")
        var best = Int.max
        for _ in 0..<50 {
            let begin = threadTime()
            for _ in 0..<1_000 { store.dispatch(action) }
            best = min(best, (threadTime() - begin) / 1_000)
            Thread.sleep(forTimeInterval: 0.07)
        }
        return best
    }

    private static func threadTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func bytes(of folder: String) -> Int {
        let files = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
        return files.filter { $0.contains("segment-") }.reduce(0) { sum, file in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
            return sum + ((attributes?[.size] as? Int) ?? 0)
        }
    }
}

/// An observer that does nothing, so that what the block costs can be said apart.
private final class Ignoring: CommitObserver {
    var needs: ObserverNeeds { .time }
    func observe(_ commit: Commit<Dial>) {}
}

private struct Product: Codable, Identifiable, Sendable {
    let id: Int
    var name = "A plate of some kind"
    var views = 0
    init(id: Int) { self.id = id }
}
private struct Catalogue: Codable, Sendable {
    var products: EntityTable<Product> = []
    init(products: [Product]) {
        for product in products { self.products[id: product.id] = product }
    }
}
private struct View: Action, Codable {}
private struct Rows: Codable, Sendable { var numbers: [Int] }
private struct Add: Action, Codable { let number: Int }
