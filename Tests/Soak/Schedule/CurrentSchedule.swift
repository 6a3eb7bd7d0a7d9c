// SPDX-License-Identifier: MIT

import Synchronization

/// Where the points of the library and of the history find their schedule.
///
/// Set once per process, before the first thread of a history starts.
final class CurrentSchedule: Sendable {
    static let shared = CurrentSchedule()

    private let current = Mutex<Schedule?>(nil)
    /// Points of a history on real threads: how often to give way there.
    private let restlessness = Atomic<Int>(0)
    private let turn = Atomic<UInt64>(1)

    private init() {}

    var schedule: Schedule? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Has threads that are not scheduled give way once in a number of points, by chance.
    func beRestless(oncePer points: Int) {
        restlessness.store(points, ordering: .relaxed)
    }

    func giveWay() {
        let points = restlessness.load(ordering: .relaxed)
        guard points > 0 else { return }
        let mixed = SplitMix64.mixed(turn.add(1, ordering: .relaxed).newValue)
        guard mixed % UInt64(points) == 0 else { return }
        if mixed % 7 == 0 { RealThreads.pause() } else { RealThreads.yield() }
    }
}

extension SplitMix64 {
    /// The number that a seed begins with.
    static func mixed(_ seed: UInt64) -> UInt64 {
        var random = SplitMix64(seed: seed)
        return random.next()
    }
}

/// A point of a history: in a reducer, a subscriber, a getter, a `deinit`.
func soakPoint() {
    if let schedule = CurrentSchedule.shared.schedule {
        schedule.reach(.passing)
    } else {
        CurrentSchedule.shared.giveWay()
    }
}

/// The points of the library, see `SchedulePoint` there.
@_silgen_name("onward_schedule_point")
public func onwardSchedulePoint(_ kind: UInt8) {
    guard let schedule = CurrentSchedule.shared.schedule else {
        // On real threads one that finds a lock taken must let the other one run.
        if kind == 1 { RealThreads.yield() } else { CurrentSchedule.shared.giveWay() }
        return
    }
    switch kind {
    case 1: schedule.reach(.contended)
    case 2: schedule.reach(.released)
    default: schedule.reach(.passing)
    }
}
