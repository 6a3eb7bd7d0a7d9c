// SPDX-License-Identifier: MIT
// swift-format-ignore-file

@testable import ReSwift
@testable import ReSwift_Planner
@testable import ReSwift_Thunk // difficulty: module-name
import ReSwiftPlannerKit
import XCTest

class PlannerTests: XCTestCase {
    override func setUp() {
        store.subscriptions.removeAll()
    }

    func testLoads() {
        var dispatched: [Action] = []
        loadPlans().body({ dispatched.append($0) }, { PlannerState() })
        XCTAssertTrue(dispatched.isEmpty)
        XCTAssertNil(store.state.lastNavigationState)
    }

    func testSelects() {
        let subscription = Subscription<PlannerState>()
        var count = 0
        let selected = subscription.select { $0.plans.count }
        selected.observer = { _, new in count = new }
        subscription.newValues(oldState: nil, newState: PlannerState()) // difficulty: internals
        XCTAssertEqual(count, 0)
    }
}
