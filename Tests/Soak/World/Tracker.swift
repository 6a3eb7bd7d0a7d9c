// SPDX-License-Identifier: MIT

import Observation
import Onward
import Synchronization

/// Reads a value under Observation, and again whenever it is notified of a change, as a view does.
final class Tracker: Sendable {
    private let stage: Stage
    private let selection: Selection
    private let id: Int
    private let times = Mutex(0)

    init(_ stage: Stage, _ selection: Selection) {
        self.stage = stage
        self.selection = selection
        let box = Mutex(0)
        stage.recorder.change { record in
            record.trackings.append(
                Record.Tracking(selection: selection))
            box.withLock { $0 = record.trackings.count - 1 }
        }
        id = box.withLock { $0 }
    }

    func track() {
        let turn = times.withLock { times in
            times += 1
            return times
        }
        guard turn <= 20, let store = stage.store else { return }
        stage.recorder.change { [self] record in
            record.trackings[id].turn = turn
            record.trackings[id].isArmed = true
            record.trackings[id].lastRead = nil
        }
        let reductions = stage.recorder.reductionCount
        let value = withObservationTracking {
            read(store)
        } onChange: { [self] in
            // Notified before the value is read by everybody: the next reading is left to a task.
            stage.recorder.change { [self] record in
                if record.trackings[id].turn == turn { record.trackings[id].isArmed = false }
            }
            Task { self.track() }
        }
        let mayMiss = stage.recorder.reductionCount != reductions
        stage.recorder.change { [self] record in
            guard record.trackings[id].turn == turn else { return }
            record.trackings[id].lastRead = value
            record.trackings[id].mayMiss = mayMiss
        }
    }

    private func read(_ store: Store<World>) -> Int {
        switch selection {
        case .y: store[\.y, isolation: nil]
        case .left: store.scoped(to: \.left)[\.n, isolation: nil]
        case .sheet: store[\.sheet, isolation: nil]?.n ?? -1
        case .row(let id): store[.row(\.rows, id: id), isolation: nil]?.number ?? -1
        default: store[\.x, isolation: nil]
        }
    }
}
