// SPDX-License-Identifier: MIT

import Onward

/// Writes down every entry, and the values of the state after it; without them, every other one needs the time.
final class Witness: CommitObserver {
    private let recorder: Recorder
    private let keepsValues: Bool
    private let index: Int
    let needs: ObserverNeeds

    init(recorder: Recorder, keepsValues: Bool) {
        self.recorder = recorder
        self.keepsValues = keepsValues
        index = recorder.addEntries()
        needs = keepsValues ? .after : index.isMultiple(of: 2) ? [] : .time
    }

    func observe(_ commit: Commit<World>) {
        soakPoint()
        if needs.contains(.time), commit.entry.time == nil {
            recorder.notice("entry \(commit.entry.version) came without its time")
        }
        let values =
            keepsValues
            ? commit.after.map { after in
                Selection.tracked.map { ($0, $0.value(in: after)) }
            } ?? [] : []
        recorder.observe(commit.entry, index, values)
    }
}

/// A gate that withholds some actions.
struct Censor: CommitGate {
    typealias State = World

    let share: Int

    func accepts(_ pending: PendingCommit) -> Bool {
        soakPoint()
        guard let deed = pending.action as? Deed, case .bump(.x) = deed else { return true }
        return share != 2
    }
}
