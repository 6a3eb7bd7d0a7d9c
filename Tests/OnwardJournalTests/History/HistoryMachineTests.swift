// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardJournal

struct HistoryMachineTests {
    private func entry(_ text: String, version: CommitVersion? = nil) -> HistoryEntry {
        HistoryEntry(
            id: 0, action: Note(text: text), address: .root,
            origin: ActionOrigin(file: "App.swift", line: 1),
            time: Timestamp(nanosecondsSince1970: 0), version: version)
    }

    @Test
    func `an action that is accepted before a withheld one is shown has no version of both`() {
        let store = makeShop()
        var machine = HistoryMachine(HistoryLog(from: Shop(), replay: store.log.replayer()))
        machine.begin(with: Shop(), at: 0)
        machine.beginChange()
        machine.closed(at: 0)
        _ = machine.change { $0.jump(to: 0) }
        let mayShow = machine.beginShowing(within: nil)
        #expect(mayShow)
        let next = machine.nextToShow().log
        machine.open(with: next, replacing: 0)
        // Whether the state has come says the version of the store, which nobody reads under a lock.
        guard case .needsVersion = machine.decide(entry("withheld"), at: nil) else {
            Issue.record("The version doesn't matter.")
            return
        }
        // Withheld, as the state is on its way; recorded all the same.
        _ = machine.decide(entry("withheld"), at: 0)
        #expect(machine.log.staged.count == 1)
        let isDueAgain = machine.finishShowing(next, .accepted(1))
        #expect(isDueAgain)
        _ = machine.noteTravel(at: 1)
        // The state is there, without what was withheld.
        guard case .accept = machine.decide(nil, at: 1) else {
            Issue.record("The gate is closed.")
            return
        }
        _ = machine.record(entry("accepted", version: 2), at: 2)
        #expect(machine.log.staged.count == 2)
        #expect(machine.log.version(at: 2) == nil)
    }
}
