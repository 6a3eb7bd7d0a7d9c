// SPDX-License-Identifier: MIT

import Onward
import OnwardJournal
import OnwardTesting
import Testing

struct MemoryJournalStressTests {
    @Test func `keeps the contract of journals`() async throws {
        try await JournalContract.check { MemoryJournal() }
    }

    @Test func `keeps the contract while every call is slow`() async throws {
        try await JournalContract.check {
            FaultInjectingJournal(MemoryJournal(), FaultInjectingJournal.Disturbance(slowness: 5))
        }
    }

    @Test func `loses, doubles and tears nothing while calls fail and another writer appends`()
        async throws
    {
        try await JournalContract.checkDisturbed { MemoryJournal() }
    }
}

struct JournalEndTests {
    @Test func `a task waits for its own entry, not for the next one`() async throws {
        let journal = MemoryJournal()
        let waits = (0..<200 as Range<CommitVersion>).map { version in
            Task {
                try await journal.wait(after: version)
                return try await journal.lastVersion() > version
            }
        }
        var end = JournalPosition.start
        for version in 1...200 as ClosedRange<CommitVersion> {
            let entry = JournalEntry(version: version, name: "Note")
            try journal.append([entry], after: end)
            end = entry.position
            await Task.yield()
        }
        for wait in waits { #expect(try await wait.value) }
    }
}

struct JournalContractTests {
    static let faults: [(BrokenJournal.Fault, String)] = [
        (.fullDisk(Counter()), "The disk is full."),
        (.acceptsOtherVersions, "is refused with the true version"),
        (.tearsAppends, "what was appended can be read as it was"),
        (.ignoresLimits, "has no more than the limit"),
        (.forgetsVersionsOfSnapshots, "the newest snapshot at or before a version is found"),
        (.truncatesBlindly, "nothing is forgotten that no snapshot covers"),
        (.ignoresPositions, "a snapshot behind another entry is refused"),
        (.readsForgottenAsNothing, "what was forgotten is not read as nothing"),
        (.neverEnds, "a closed journal takes nothing"),
    ]

    @Test(arguments: faults.indices)
    func `names the promise that a journal breaks`(index: Int) async throws {
        let (fault, promise) = Self.faults[index]
        await #expect {
            try await JournalContract.check { BrokenJournal(base: MemoryJournal(), fault: fault) }
        } throws: { "\($0)".contains(promise) }
    }

    @Test func `finds a journal that tears an append when it fails`() async throws {
        await #expect {
            try await JournalContract.checkDisturbed {
                BrokenJournal(base: MemoryJournal(), fault: .losesSome(Counter()))
            }
        } throws: { "\($0)".contains("once, in order") }
    }
}
