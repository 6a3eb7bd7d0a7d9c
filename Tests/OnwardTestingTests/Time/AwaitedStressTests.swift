// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardTesting

@Suite struct AwaitedStressTests {
    @Test func `every wait ends once, whatever comes first`() async {
        for round in 0..<50 {
            let count = Awaited(0)
            let ends = await withTaskGroup(of: Awaited<Int>.End.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        // Some are served, some are late, some are cancelled.
                        await count.wait(atMost: .milliseconds(number % 4 == 0 ? 0 : 5_000)) {
                            $0 > number
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<30 { count.withValue { $0 += 1 } }
                    return .fulfilled
                }
                var ends: [Awaited<Int>.End] = []
                for await end in group {
                    ends.append(end)
                    if ends.count == 25 + round % 6 { group.cancelAll() }
                }
                return ends
            }
            #expect(ends.count == 41)
        }
    }

    @Test func `a clock that many tasks advance wakes every sleeper`() async {
        let clock = ManualClock()
        let woken = Recorder<Int>()
        await withTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    try? await clock.sleep(for: .seconds(number % 10))
                    woken.record(0, number)
                }
            }
            for _ in 0..<10 {
                group.addTask {
                    while woken.values.count < 200 {
                        clock.advance(by: .seconds(1))
                        await Task.yield()
                    }
                }
            }
        }
        #expect(Set(woken.values) == Set(0..<200))
        #expect(clock.sleeperCount == 0)
    }
}
