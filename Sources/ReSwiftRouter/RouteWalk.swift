// SPDX-License-Identifier: MIT

internal import Onward

/// The steps that a router still has to take, one after the other: a pure machine.
struct RouteWalk {
    /// A step, and whether it is to be seen.
    struct Step: Equatable, Sendable {
        let move: NavigationStep<RouteElementIdentifier>
        let animated: Bool
    }

    private var target: Route = []
    private var steps: [Step] = []
    private var isWalking = false

    /// Goes on to a route from the one that was to be reached last.
    mutating func go(to route: Route, animated: Bool) {
        steps += NavigationStep.steps(from: target, to: route).map {
            Step(move: $0, animated: animated)
        }
        target = route
    }

    /// The step to take now; nil when there is none, or one is being taken.
    mutating func next() -> Step? {
        guard !isWalking, !steps.isEmpty else { return nil }
        isWalking = true
        return steps.removeFirst()
    }

    /// Notes that the step was taken.
    mutating func arrive() {
        isWalking = false
    }
}
