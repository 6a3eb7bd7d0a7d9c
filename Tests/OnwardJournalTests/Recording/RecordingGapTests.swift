// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal

/// Commits that have no entries of their own, while threads go on committing.
struct RecordingGapTests {
    private final class State: Sendable {}

    private func entry(_ version: CommitVersion) -> LogEntry {
        LogEntry(version: version, action: Note(text: ""))
    }

    private func commit(_ versions: ClosedRange<CommitVersion>, to machine: inout RecordingMachine)
    {
        for version in versions {
            _ = machine.take(entry(version), installed: nil, bytes: 1)
        }
    }

    /// A recording that has written commit 1 and waits for the state after commits from 2 on.
    private func machineWithGap(upTo last: CommitVersion) -> RecordingMachine {
        var machine = RecordingMachine(
            limit: 1, spacing: nil, isPartial: false,
            course: RecordingCourse(retries: 0, firstPause: .zero, yields: false, resumes: false))
        _ = machine.begin(after: 0, at: 0)
        commit(1...last, to: &machine)
        let written = write(&machine)
        #expect(written.map(\.entry.version) == [1])
        return machine
    }

    /// Writes what waits.
    private func write(_ machine: inout RecordingMachine) -> [RecordingMachine.Item] {
        var written: [RecordingMachine.Item] = []
        var batch: [RecordingMachine.Item] = []
        while case .batch = machine.next(&batch) {
            written += batch
            machine.finish(
                batch[batch.count - 1].entry.version,
                at: machine.position + CommitVersion(batch.count), isEnd: true)
            batch = []
            _ = machine.handle(.appended)
        }
        return written
    }

    @Test func `a state is taken again if it lacks a commit that was counted meanwhile`() {
        var machine = machineWithGap(upTo: 3)
        commit(4...5, to: &machine)
        let adopted = [3, 4, 5].map { machine.offerForGap(State(), at: $0) }
        #expect(adopted == [false, false, true])
        let written = write(&machine)
        #expect(written.map(\.missing) == [MissingCommits(count: 4, first: 2, last: 5)])
        commit(6...6, to: &machine)
        let next = write(&machine)
        #expect(next.map(\.entry.version) == [6])
    }

    @Test func `nothing is written in place of a gap before a state is adopted`() {
        var machine = machineWithGap(upTo: 3)
        let isAdopted = machine.offerForGap(State(), at: 2)
        let written = write(&machine)
        #expect(!isAdopted && written.isEmpty)
    }

    @Test func `a state with commits that are observed later stands for them, too`() {
        var machine = machineWithGap(upTo: 3)
        let isAdopted = machine.offerForGap(State(), at: 5)
        commit(4...4, to: &machine)
        let early = write(&machine)
        commit(5...6, to: &machine)
        let written = write(&machine)
        #expect(isAdopted && early.isEmpty)
        #expect(written.map(\.missing) == [MissingCommits(count: 4, first: 2, last: 5)])
    }

    @Test func `commits that aren't recorded make no state too old`() {
        var machine = machineWithGap(upTo: 3)
        _ = machine.skip(4)
        let isAdopted = machine.offerForGap(State(), at: 3)
        let written = write(&machine)
        #expect(isAdopted)
        #expect(written.map(\.missing) == [MissingCommits(count: 2, first: 2, last: 3)])
    }

    @Test func `a recording that has ended wants no newer state`() {
        var machine = machineWithGap(upTo: 3)
        _ = machine.end()
        let isAdopted = machine.offerForGap(State(), at: 1)
        #expect(isAdopted)
    }
}
