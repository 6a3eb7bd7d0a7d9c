// SPDX-License-Identifier: MIT

internal import Foundation
internal import Onward

/// Notes which entry a store runs while it is restored, in a file that survives the end of the program.
///
/// Problem: an entry whose reducer stops the program stops it at each launch, before anybody can do something about
/// it.
///
/// Strategy: before an entry is decoded and before it is reduced, its version goes into a file that is mapped into
/// memory. A launch that finds one there knows in which entry the last one ended. Once may be the system's doing; an
/// entry in which two launches in succession ended is passed over from then on, or refused. Another build of the
/// program, whose reducers may be mended, tries it again.
final class ReplayMark: Sendable {
    /// An entry in which launches ended.
    struct Suspect: Sendable, Hashable {
        let version: CommitVersion
        let id: EntryID
        var ends: UInt64 = 1

        /// Whether it isn't run any more.
        var isPassed: Bool { ends >= 2 }
    }

    private let path: String
    private let suspects: [Suspect]
    /// The versions of the entries that aren't run.
    private let passed: Set<CommitVersion>
    private let mark = Guarded<ReductionMark?>(nil)

    /// Reads what the last launch has left; nil for a journal that has no place for it.
    init?(for journal: some Journal) async {
        guard let path = journal.replayMarkPath else { return nil }
        self.path = path
        let left = ReplayMarkFile(at: path, build: Self.build)
        var suspects: [Suspect] = []
        for suspect in left.suspects {
            // Only what ended the last launch, too, has done so in succession.
            guard suspect.isPassed || suspect.version == left.running else { continue }
            guard let entry = await Self.entry(suspect.version, in: journal),
                entry.id == suspect.id
            else { continue }
            var suspect = suspect
            if suspect.version == left.running { suspect.ends += 1 }
            suspects.append(suspect)
        }
        if let running = left.running, !suspects.contains(where: { $0.version == running }),
            let entry = await Self.entry(running, in: journal)
        {
            suspects.append(Suspect(version: running, id: entry.id))
        }
        self.suspects = suspects
        passed = Set(suspects.filter(\.isPassed).map(\.version))
    }

    private static func entry(_ version: CommitVersion, in journal: some ReadableJournal) async
        -> JournalEntry?
    {
        let entry = try? await journal.entries(from: version, limit: 1).first
        return entry?.version == version ? entry : nil
    }

    /// What distinguishes this build of the program from others.
    private static var build: UInt64 {
        guard let path = Bundle.main.executablePath,
            let file = try? FileManager.default.attributesOfItem(atPath: path)
        else { return 0 }
        var sum = Checksum()
        sum.add((file[.size] as? NSNumber)?.uint64Value ?? 0)
        let time = (file[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        sum.add(time.bitPattern)
        return sum.value
    }

    // MARK: Running

    /// Begins to note; what the last launch has left is counted from here on.
    func begin() {
        let new = ReplayMarkFile.make(at: path, suspects: suspects, build: Self.build)
        mark.withValue { $0 = new }
    }

    /// Calls a closure with what notes versions, which are noted no more when it returns.
    func noting<Value, Failure: Error>(
        _ body: (ReductionMark?) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let mark = mark.withValue { $0 }
        defer { mark?.end(0) }
        return try body(mark)
    }

    /// Whether an entry isn't run.
    func passes(_ entry: JournalEntry) -> Bool { passed.contains(entry.version) }

    /// Notes that all entries were run; the file stays only for those that are passed over.
    func finish() {
        let old = mark.withValue { mark in
            defer { mark = nil }
            return mark
        }
        if old != nil, passed.isEmpty { _ = unlink(path) }
    }
}

/// The bytes of a ``ReplayMark``: the mark, the build, and the entries in which launches ended.
struct ReplayMarkFile {
    private static let limit = 32
    private static let slot = 32
    private static let room = 16 + limit * slot

    private(set) var suspects: [ReplayMark.Suspect] = []
    /// The entry that was being run when the program ended.
    private(set) var running: CommitVersion?

    /// Reads a file; there is nothing in one of another build.
    init(at path: String, build: UInt64) {
        // Written last, so that a file is whole or says nothing.
        guard let (mark, room) = ReductionMark.read(at: path, room: Self.room),
            room.number(at: 0) == build, room.number(at: 8) <= UInt64(Self.limit)
        else { return }
        running = mark.reduced == nil ? nil : mark.version + 1
        suspects = (0..<Int(room.number(at: 8))).map { index in
            let offset = 16 + index * Self.slot
            return ReplayMark.Suspect(
                version: room.number(at: offset),
                id: EntryID(high: room.number(at: offset + 8), low: room.number(at: offset + 16)),
                ends: room.number(at: offset + 24))
        }
    }

    /// Makes a file; nil if the system can't.
    static func make(
        at path: String, suspects: [ReplayMark.Suspect], build: UInt64
    ) -> ReductionMark? {
        guard let (mark, room) = ReductionMark.mapped(at: path, room: Self.room) else { return nil }
        let kept = suspects.suffix(limit)
        var numbers = [build, UInt64(kept.count)]
        for suspect in kept {
            numbers += [suspect.version, suspect.id.high, suspect.id.low, suspect.ends]
        }
        for (index, number) in numbers.enumerated().reversed() {
            room.storeBytes(of: number.littleEndian, toByteOffset: index * 8, as: UInt64.self)
        }
        return mark
    }
}
