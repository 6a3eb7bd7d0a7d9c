// SPDX-License-Identifier: MIT

import Onward
import Synchronization

/// Shows that the soak finds what it is there to find: the checker in records that were made by hand, the
/// schedule in a program that is wrong, the shrinker in a history that is too long.
enum SelfTest {
    static func run() -> Bool {
        var failures: [String] = []
        for sample in BadRecord.all {
            let promises = Checker.faults(of: sample.record).map(\.promise)
            if !promises.contains(sample.promise) {
                failures.append("\"\(sample.promise)\" is not found: \(promises)")
            }
        }
        for record in BadRecord.allGood {
            let faults = Checker.faults(of: record)
            if !faults.isEmpty { failures.append("faults in a good record: \(faults)") }
        }
        if !EffectTrials.noticeMistakes() { failures.append("effects don't notice a wrong model") }
        if !shrinks { failures.append("the shrinker leaves more than one step") }
        #if ONWARD_SCHEDULED
        if !isDeterministic { failures.append("a seed did not give the same history twice") }
        if !findsLostUpdate { failures.append("the schedule does not find a lost update") }
        #endif
        for failure in failures { print("✘ self-test:", failure) }
        if failures.isEmpty {
            print(
                "self-test: \(BadRecord.all.count) bad records are judged so, "
                    + "\(BadRecord.allGood.count) good ones are good")
        }
        return failures.isEmpty
    }

    private static var shrinks: Bool {
        let wanted = Step.dispatch(.bump(.y))
        let pass = [Step](repeating: .pass, count: 6)
        let history = History(
            seed: 1, isObserved: true, middleware: .passesOn,
            threads: [
                .init(kind: .thread, steps: pass),
                .init(kind: .task, steps: pass + [wanted] + pass),
            ])
        let small = Shrinker { history in
            history.threads.contains { $0.steps.contains(wanted) }
        }.shrink(history)
        return small.stepCount == 1 && small.threads.count == 1
    }

    #if ONWARD_SCHEDULED
    private static var isDeterministic: Bool {
        (1...12 as ClosedRange<UInt64>).allSatisfy { seed in
            let history = Generator.history(of: seed)
            let (first, second) = (
                Child.judgement(of: history, .scheduled), Child.judgement(of: history, .scheduled)
            )
            return first.points == second.points && first.faults == second.faults
        }
    }

    /// Two threads that read a number and write it back with one more: some seeds lose one.
    private static var findsLostUpdate: Bool {
        (1...40 as ClosedRange<UInt64>).contains { seed in
            let schedule = Schedule(seed: seed, clock: SoakClock())
            CurrentSchedule.shared.schedule = schedule
            let number = Mutex(0)
            let box = Box(number)
            for name in ["one", "two"] {
                schedule.add(name) {
                    soakPoint()
                    let seen = box.number.withLock { $0 }
                    soakPoint()
                    box.number.withLock { $0 = seen + 1 }
                }
            }
            _ = schedule.run()
            return box.number.withLock { $0 } == 1
        }
    }

    private final class Box: Sendable {
        let number: Mutex<Int>

        init(_ number: consuming Mutex<Int>) { self.number = number }
    }
    #endif
}
