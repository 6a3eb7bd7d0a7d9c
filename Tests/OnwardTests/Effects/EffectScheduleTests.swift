// SPDX-License-Identifier: MIT

import Onward
import OnwardTesting
import Testing

@testable import OnwardCore
@testable import OnwardEffects
@testable import TestSupport

/// The machine alone: events in, steps out.
@Suite struct EffectScheduleTests {
    private let slot = EffectSchedule.Slot(address: .root, id: "a")
    private let other = EffectSchedule.Slot(address: .root, id: "b")
    private var schedule = EffectSchedule()

    @Test
    mutating func `concurrent starts at once`() {
        #expect(schedule.submit(1, to: slot, .concurrent) == [.start(1)])
        #expect(schedule.submit(2, to: slot, .concurrent) == [.start(2)])
    }

    @Test
    mutating func `latest cancels before it starts, once each`() {
        _ = schedule.submit(1, to: slot, .concurrent)
        _ = schedule.submit(2, to: slot, .concurrent)
        _ = schedule.submit(9, to: other, .concurrent)
        #expect(schedule.submit(3, to: slot, .latest) == [.cancel(1), .cancel(2), .start(3)])
        #expect(schedule.submit(4, to: slot, .latest) == [.cancel(3), .start(4)])
        #expect(schedule.phase(of: 1) == .cancelled)
        #expect(schedule.ended(1) == [])
        #expect(schedule.phase(of: 1) == nil)
        #expect(schedule.phase(of: 9) == .running)
    }

    @Test
    mutating func `dropping looks at what runs, not at what was cancelled`() {
        _ = schedule.submit(1, to: slot, .dropping)
        #expect(schedule.submit(2, to: slot, .dropping) == [.drop(2)])
        #expect(schedule.cancel(slot) == [.cancel(1)])
        #expect(schedule.submit(3, to: slot, .dropping) == [.start(3)])
    }

    @Test
    mutating func `a queue goes on when the one before has ended, also a cancelled one`() {
        #expect(schedule.submit(1, to: slot, .queue) == [.start(1)])
        #expect(schedule.submit(2, to: slot, .queue) == [.wait(2)])
        #expect(schedule.submit(3, to: slot, .queue) == [.wait(3)])
        #expect(schedule.cancel(1) == [.cancel(1)])
        #expect(schedule.cancel(1) == [])
        #expect(schedule.ended(1) == [.start(2)])
        #expect(schedule.cancel(3) == [.drop(3)])
        #expect(schedule.ended(2) == [])
    }

    @Test
    mutating func `latest drops the queue`() {
        _ = schedule.submit(1, to: slot, .queue)
        _ = schedule.submit(2, to: slot, .queue)
        #expect(schedule.submit(3, to: slot, .latest) == [.cancel(1), .drop(2), .start(3)])
    }

    @Test
    mutating func `a pause holds queues, and not what comes at once`() {
        _ = schedule.submit(1, to: slot, .queue)
        _ = schedule.submit(2, to: slot, .queue)
        schedule.pause()
        #expect(schedule.ended(1) == [])
        #expect(schedule.submit(3, to: other, .concurrent) == [.start(3)])
        #expect(schedule.resume(at: .zero) == [.start(2)])
    }

    @Test
    mutating func `what waits for a timer that ends in a pause starts with the resumption`() {
        _ = schedule.submit(1, to: slot, .concurrent, .debounce(.seconds(3)))
        _ = schedule.submit(2, to: other, .concurrent, .throttle(.seconds(3), .trailing))
        schedule.pause()
        #expect(schedule.timerEnded(1, of: slot, at: .seconds(3)) == [])
        #expect(schedule.timerEnded(2, of: other, at: .seconds(3)) == [])
        #expect(schedule.phase(of: 1) == .waiting)
        let steps = schedule.resume(at: .seconds(9))
        #expect(steps.contains(.start(1)) && steps.contains(.start(2)))
        // The next one of the throttle waits from here on.
        #expect(steps.contains(.startTimer(other, number: 3, .seconds(3))))
        #expect(steps.count == 3)
    }

    @Test
    mutating func `a newer one replaces what waits in a pause without a timer`() {
        _ = schedule.submit(1, to: slot, .concurrent, .throttle(.seconds(3), .trailing))
        schedule.pause()
        _ = schedule.timerEnded(1, of: slot, at: .seconds(3))
        #expect(
            schedule.submit(2, to: slot, .concurrent, .throttle(.seconds(3), .both)) == [.drop(1)])
        #expect(schedule.cancel(slot) == [.drop(2)])
        #expect(schedule.resume(at: .seconds(9)) == [])
    }

    @Test
    mutating func `debounce starts a timer for each, and lets the newest pass`() {
        let timing = EffectTiming.debounce(.seconds(3))
        #expect(
            schedule.submit(1, to: slot, .latest, timing, at: .zero)
                == [.startTimer(slot, number: 1, .seconds(3))])
        #expect(
            schedule.submit(2, to: slot, .latest, timing, at: .seconds(2))
                == [.drop(1), .stopTimer(1), .startTimer(slot, number: 2, .seconds(3))])
        #expect(schedule.timerEnded(1, of: slot, at: .seconds(3)) == [])
        #expect(schedule.timerEnded(2, of: slot, at: .seconds(5)) == [.start(2)])
        #expect(schedule.timerEnded(2, of: slot, at: .seconds(5)) == [])
    }

    @Test
    mutating func `a timer that is over by the clock counts before its end is notified`() {
        let debounce = EffectTiming.debounce(.seconds(3))
        _ = schedule.submit(1, to: slot, .concurrent, debounce, at: .zero)
        #expect(
            schedule.submit(2, to: slot, .concurrent, debounce, at: .seconds(3))
                == [.stopTimer(1), .start(1), .startTimer(slot, number: 2, .seconds(3))])
        #expect(schedule.timerEnded(1, of: slot, at: .seconds(3)) == [])
        let throttle = EffectTiming.throttle(.seconds(3), .leading)
        _ = schedule.submit(3, to: other, .concurrent, throttle, at: .zero)
        #expect(schedule.submit(4, to: other, .concurrent, throttle, at: .seconds(2)) == [.drop(4)])
        #expect(
            schedule.submit(5, to: other, .concurrent, throttle, at: .seconds(3))
                == [.stopTimer(3), .startTimer(other, number: 4, .seconds(3)), .start(5)])
    }

    @Test
    mutating func `throttle, both: keeps the newest, and begins a new duration with it`() {
        let timing = EffectTiming.throttle(.seconds(3), .both)
        #expect(
            schedule.submit(1, to: slot, .concurrent, timing)
                == [.startTimer(slot, number: 1, .seconds(3)), .start(1)])
        #expect(schedule.submit(2, to: slot, .concurrent, timing) == [])
        #expect(schedule.submit(3, to: slot, .concurrent, timing) == [.drop(2)])
        #expect(
            schedule.timerEnded(1, of: slot, at: .seconds(3))
                == [.startTimer(slot, number: 2, .seconds(3)), .start(3)])
        #expect(schedule.timerEnded(2, of: slot, at: .seconds(6)) == [])
        #expect(
            schedule.submit(4, to: slot, .concurrent, timing, at: .seconds(6))
                == [.startTimer(slot, number: 3, .seconds(3)), .start(4)])
    }

    @Test
    mutating func `cancelling a slot drops what waits at the gate`() {
        _ = schedule.submit(1, to: slot, .concurrent, .debounce(.seconds(3)))
        #expect(schedule.cancel(slot) == [.drop(1), .stopTimer(1)])
        #expect(schedule.phase(of: 1) == nil)
        #expect(schedule.timerEnded(1, of: slot, at: .seconds(3)) == [])
    }

    @Test
    mutating func `finish cancels and drops all, and nothing starts any more`() {
        _ = schedule.submit(1, to: slot, .queue)
        _ = schedule.submit(2, to: slot, .queue)
        _ = schedule.submit(3, to: other, .concurrent)
        _ = schedule.submit(4, to: other, .concurrent, .debounce(.seconds(3)))
        #expect(
            schedule.finish()
                == [.cancel(1), .drop(2), .cancel(3), .drop(4), .stopTimer(1)])
        #expect(schedule.submit(5, to: slot, .concurrent) == [.drop(5)])
        #expect(schedule.ended(1) == [])
        #expect(schedule.ended(3) == [])
        #expect(schedule.resume(at: .zero) == [])
    }

    @Test
    func `whatever happens, none is lost, started twice, or ended before it started`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var schedule = EffectSchedule()
            var begun: Set<UInt64> = []
            var over: Set<UInt64> = []
            var timers: [EffectSchedule.TimerNumber: EffectSchedule.Slot] = [:]
            var last: UInt64 = 0
            func take(_ steps: [EffectSchedule.Step]) {
                for step in steps {
                    switch step {
                    case .start(let key):
                        #expect(begun.insert(key).inserted && !over.contains(key))
                    case .wait(let key): #expect(!begun.contains(key) && !over.contains(key))
                    case .cancel(let key): #expect(begun.contains(key) && !over.contains(key))
                    case .drop(let key):
                        #expect(!begun.contains(key) && over.insert(key).inserted)
                    case .startTimer(let slot, let number, _):
                        #expect(!timers.values.contains(slot))
                        timers[number] = slot
                    case .stopTimer(let number): #expect(timers.removeValue(forKey: number) != nil)
                    }
                }
            }
            let policies: [EffectPolicy] = [.concurrent, .latest, .dropping, .queue]
            let timings: [EffectTiming?] = [
                nil, nil, .debounce(.seconds(2)), .throttle(.seconds(2), .leading),
                .throttle(.seconds(2), .trailing), .throttle(.seconds(2), .both),
            ]
            for moment in 0..<60 {
                let now = Duration.seconds(moment / 3)
                let slot = Bool.random(using: &random) ? slot : other
                switch Int.random(in: 0..<9, using: &random) {
                case 0...3:
                    last += 1
                    take(
                        schedule.submit(
                            last, to: slot,
                            policies.randomElement(using: &random) ?? .concurrent,
                            timings.randomElement(using: &random) ?? nil, at: now))
                case 4...5:
                    if let key = begun.subtracting(over).sorted().randomElement(using: &random) {
                        over.insert(key)
                        take(schedule.ended(key))
                    }
                case 6: take(schedule.cancel(slot))
                case 7:
                    if let (number, slot) = timers.min(by: { $0.key < $1.key }) {
                        timers[number] = nil
                        take(schedule.timerEnded(number, of: slot, at: now + .seconds(9)))
                    }
                default:
                    if Bool.random(using: &random) {
                        schedule.pause()
                    } else {
                        take(schedule.resume(at: now))
                    }
                }
            }
            take(schedule.finish())
            for key in begun.subtracting(over) {
                over.insert(key)
                take(schedule.ended(key))
            }
            #expect(over.count == Int(last))
            #expect(timers.isEmpty)
        }
    }
}
