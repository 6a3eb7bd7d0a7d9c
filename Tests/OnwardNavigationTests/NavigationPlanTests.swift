// SPDX-License-Identifier: MIT

import Onward
import Testing

@testable import OnwardNavigation

struct NavigationPlanTests {
    private func steps(_ plan: inout NavigationPlan<Character>) -> [NavigationStep<Character>] {
        var steps: [NavigationStep<Character>] = []
        while let step = plan.next() { steps.append(step) }
        return steps
    }

    @Test func `leads from what is shown to what is to be shown, a step at a time`() {
        var plan = NavigationPlan(shown: Array("abc"))
        let step1 = plan.next()
        #expect(step1 == nil)
        plan.aim(at: Array("axyz"))
        let step2 = plan.next()
        #expect(step2 == .pop("c", at: 2))
        #expect(plan.shown == Array("ab"))
        let rest = steps(&plan)
        #expect(rest == [.change("b", to: "x", at: 1), .push("y", at: 2), .push("z", at: 3)])
        #expect(plan.shown == Array("axyz"))
    }

    @Test func `another aim on the way counts from what is shown by then`() {
        var plan = NavigationPlan(shown: Array("ab"))
        plan.aim(at: Array("a"))
        let step3 = plan.next()
        #expect(step3 == .pop("b", at: 1))
        plan.aim(at: Array("ab"))
        let rest = steps(&plan)
        #expect(rest == [.push("b", at: 1)])
    }

    @Test func `takes no step once it is over`() {
        var plan = NavigationPlan(shown: Array("a"))
        plan.aim(at: Array("ab"))
        plan.end()
        let step4 = plan.next()
        #expect(step4 == nil)
        #expect(plan.shown == Array("a"))
    }

    @Test func `a task waits from the aim to the end of the last step`() async {
        var plan = NavigationPlan(shown: Array("a"))
        await withCheckedContinuation { continuation in
            var waits = [plan.wait(continuation, plan.makeTicket())]
            plan.aim(at: Array("ab"))
            waits.append(plan.wait(continuation, plan.makeTicket()))
            #expect(waits == [false, true], "There is rest until another stack is to be shown.")
            var counts = [plan.takeWaiting().count]
            _ = plan.next()
            counts.append(plan.takeWaiting().count)
            _ = plan.next()
            counts.append(plan.takeWaiting().count)
            counts.append(plan.takeWaiting().count)
            #expect(counts == [0, 0, 1, 0], "Not before the step, not during it, once after it.")
            continuation.resume()
        }
    }
}
