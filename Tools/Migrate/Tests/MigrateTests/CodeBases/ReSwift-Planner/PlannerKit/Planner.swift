// SPDX-License-Identifier: MIT
// swift-format-ignore-file

import Foundation
import protocol ReSwift.Action
import protocol ReSwift.StateType

public struct PlannerState: StateType {
    public var plans: [String] = []
    public var lastNavigationState: String?
}

extension StateType {
    var isEmpty: Bool { return false }
}

public struct SetPlans: Action {
    public let plans: [String]
}

public func plannerReducer(action: Action, state: PlannerState?) -> PlannerState {
    var state = state ?? PlannerState()
    switch action {
    case let action as SetPlans:
        state.plans = action.plans
    default:
        break
    }
    return state
}

public let plansAddress = URL(string: "https://example.com/plans")!

public func decode(_ data: Data) -> [String] {
    return (try? JSONDecoder().decode([String].self, from: data)) ?? []
}
