// SPDX-License-Identifier: MIT
#if SQLite

import Foundation
import Onward
import OnwardJournal
import OnwardSQLite
import SimulatedDisk
import Testing

/// A generator of random numbers with a seed.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 ^ 0x5DEE_CE66_D1CE_4E5B }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// One run of a journal on a simulated disk: it is written until the world ends, and opened again.
struct DiskRun {
    /// What the run has done that the next one has to find.
    private struct Expectation {
        /// The entries up to the last one whose append has returned.
        var kept: [JournalEntry] = []
        /// Appends that have failed since then, and where the journal ended before each.
        ///
        /// Any of them may be there or not, and which is decided by the next one that returns: SQLite writes
        /// a transaction over one that failed, and until it is synced, a disk may have either.
        var unsure: [(end: JournalPosition, entries: [JournalEntry])] = []

        /// All entries up to a position.
        func entries(upTo position: JournalPosition) throws -> [JournalEntry] {
            var (position, behind) = (position, [JournalEntry]())
            while position.version > kept.count {
                guard let last = unsure.last(where: { $0.entries.last?.position == position })
                else {
                    throw Failure(description: "\(position.version) was never appended like that")
                }
                behind = last.entries + behind
                position = last.end
            }
            return kept.prefix(Int(position.version)) + behind
        }
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// What may be said of a file that has other bytes than were written.
    private static let damages: Set<JournalError.Code> = [
        .damaged, .foreign, .newer, .storage, .unwritable, .truncated, .unreadable,
    ]

    private let seed: UInt64
    private let disk: CInt
    private var random: SeededNumbers
    private var options = SQLiteJournalOptions()
    /// Whether the disk gives bytes that were never written: then an error that names the damage is right, too.
    private var lies = false
    /// The folder is there, for the lock of the writer; the file is on the simulated disk.
    private let folder: String
    private var path: String { folder + "/log" }

    init(seed: UInt64, disk: Int, in folder: Folder) throws {
        self.folder = folder.path + "/onward-simulated/\(disk)"
        try FileManager.default.createDirectory(
            atPath: self.folder, withIntermediateDirectories: true)
        self.seed = seed
        self.disk = CInt(disk)
        random = SeededNumbers(seed)
        options.durability = Bool.random(using: &random) ? .synced : .written
    }

    /// Runs several lives of one journal.
    mutating func run() async throws {
        guard simulated_disk_make(disk, seed) else { throw Failure(description: "no SQLite") }
        defer { simulated_disk_free(disk) }
        var expected = Expectation()
        for life in 0..<3 {
            let faults: [simulated_fault] = [
                SIMULATED_EIO, SIMULATED_ENOSPC, SIMULATED_SHORT_READ, SIMULATED_FLIPPED_READ,
            ]
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let fault = faults.randomElement(using: &random) ?? SIMULATED_EIO
                if fault == SIMULATED_SHORT_READ || fault == SIMULATED_FLIPPED_READ { lies = true }
                simulated_disk_plan(disk, fault, UInt64.random(in: 1...150, using: &random))
            }
            simulated_disk_plan(disk, SIMULATED_STOP, UInt64.random(in: 1...250, using: &random))
            do {
                try await live(&expected)
                simulated_disk_restart(
                    disk, options.durability == .synced && Bool.random(using: &random))
                try await check(expected)
            } catch let error as JournalError where lies && Self.damages.contains(error.code) {
                return
            } catch {
                throw Failure(
                    description: "seed \(seed), life \(life), \(options.durability): \(error)")
            }
        }
        do {
            try await flip(expected)
        } catch let error as JournalError where lies && Self.damages.contains(error.code) {
            return  // What a disk lied about may have been written back.
        } catch let error as JournalError {
            throw Failure(description: "seed \(seed), \(options.durability): \(error)")
        }
    }

    /// Writes until the world ends.
    private mutating func live(_ expected: inout Expectation) async throws {
        defer { simulated_disk_stop(disk) }
        guard let journal = try? await SQLiteJournal(at: path, options: options) else { return }
        for _ in 0..<30 {
            guard let end = try? await journal.lastPosition() else { continue }
            let batch = (0..<Int.random(in: 1...5, using: &random)).map { offset in
                JournalEntry(
                    version: end.version + 1 + CommitVersion(offset),
                    id: EntryID(high: random.next(), low: random.next()), name: "Shop/add",
                    payload: (0..<Int.random(in: 0...900, using: &random))
                        .map { UInt8(truncatingIfNeeded: $0) })
            }
            do {
                try await journal.append(batch, after: end)
            } catch {
                expected.unsure.append((end, batch))
                continue
            }
            expected.kept = try expected.entries(upTo: end) + batch
            expected.unsure = []
            let version = CommitVersion(expected.kept.count)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: try? await journal.store(state(version))
            case 1:
                // A snapshot of what isn't there yet has to be refused.
                try? await journal.store(state(version + 3))
            case 2:
                if let snapshot = try? await journal.snapshot(at: .max) {
                    // An outcome that isn't known may be either.
                    try? await journal.truncate(before: snapshot.version + 1)
                }
            default: break
            }
        }
        simulated_disk_stop(disk)
        await journal.close()
    }

    private func state(_ version: CommitVersion) -> JournalSnapshot {
        snapshot(version, Array("state \(version)".utf8))
    }

    /// Opens the journal again, and judges what it holds.
    private func check(_ expected: Expectation) async throws {
        let journal = try await SQLiteJournal(at: path, options: options)
        do {
            try await judge(journal, expected)
        } catch {
            await journal.close()
            throw error
        }
        await journal.close()
    }

    /// Compares everything, and the end before anything else can find the damage.
    private func judge(_ journal: SQLiteJournal, _ expected: Expectation) async throws {
        let snapshot = try await journal.snapshot(at: .max)
        let end = try await journal.lastPosition()
        guard end.version >= expected.kept.count else {
            throw Failure(
                description: "\(expected.kept.count) was acknowledged, \(end.version) is there")
        }
        let entries = try await journal.entries(from: journal.firstVersion(), limit: .max)
        let first = entries.first?.version ?? end.version + 1
        guard first == 1 || (snapshot?.version ?? 0) + 1 >= first else {
            throw Failure(description: "the journal begins at \(first) without a snapshot")
        }
        let written = try expected.entries(upTo: end)
        guard entries == Array(written[Int(first - 1)...]) else {
            throw Failure(
                description: """
                    entries from \(first) to \(end.version) are others, of which \(expected.kept.count) were \
                    acknowledged
                    """)
        }
        guard let snapshot else { return }
        guard snapshot == state(snapshot.version) else {
            throw Failure(description: "the snapshot at \(snapshot.version) is another one")
        }
        guard snapshot.version <= end.version else {
            throw Failure(
                description: "the snapshot at \(snapshot.version) is ahead of \(end.version)")
        }
    }

    /// A bit that flips in the file is a typed error, or changes nothing that is read.
    private mutating func flip(_ expected: Expectation) async throws {
        guard let writer = try? await SQLiteJournal(at: path, options: options) else {
            throw Failure(description: "seed \(seed): the journal doesn't open any more")
        }
        try await writer.compact()
        await writer.close()
        guard simulated_disk_flip(disk, "log") else { return }
        do {
            try await check(expected)
        } catch let error as JournalError {
            guard Self.damages.contains(error.code) else {
                throw Failure(description: "seed \(seed): a flipped bit gives \(error)")
            }
        } catch {
            throw Failure(description: "seed \(seed), after a flipped bit: \(error)")
        }
    }
}

/// Never a wrong state, never an entry missing that had reached its level: `ONWARD_DISK_SEEDS=20000` runs
/// more.
struct SimulatedDiskTests {
    @Test func `loses nothing that was acknowledged, and makes nothing up, whatever the disk does`()
        async throws
    {
        let text = ProcessInfo.processInfo.environment["ONWARD_DISK_SEEDS"]
        let count = text.flatMap(Int.init) ?? 200
        let first = ProcessInfo.processInfo.environment["ONWARD_DISK_FIRST"].flatMap(Int.init) ?? 0
        let folder = try Folder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<2 {
                group.addTask {
                    for seed in stride(from: first + worker, to: first + count, by: 2) {
                        try Task.checkCancellation()
                        var run = try DiskRun(seed: UInt64(seed), disk: worker, in: folder)
                        try await run.run()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
#endif
