// SPDX-License-Identifier: MIT

internal import OnwardNavigation

/// The steps that a router still has to take, one after another: a pure machine.
struct RouteWalk {
    /// A step, and whether it is animated.
    struct Step: Equatable, Sendable {
        let move: NavigationStep<RouteElementIdentifier>
        let animated: Bool
    }

    /// The most routes that wait; of more than these the last one counts.
    static let limit = 1_000

    private var waiting: [(route: Route, animated: Bool)] = []
    /// The route to which the steps lead.
    private var target: Route = []
    /// The steps to it, the next one last.
    private var steps: [Step] = []
    private var isWalking = false

    /// Continues to a route from the one that was to be reached last.
    mutating func go(to route: Route, animated: Bool) {
        if waiting.count == Self.limit { waiting.removeLast() }
        waiting.append((route, animated))
    }

    /// The step to take now; nil when there is none, or one is being taken.
    mutating func next() -> Step? {
        guard !isWalking else { return nil }
        while steps.isEmpty, !waiting.isEmpty {
            let (route, animated) = waiting.removeFirst()
            steps = NavigationStep.steps(from: target, to: route).reversed().map {
                Step(move: $0, animated: animated)
            }
            target = route
        }
        guard let step = steps.popLast() else { return nil }
        isWalking = true
        return step
    }

    /// Notes that the step was taken.
    mutating func arrive() {
        isWalking = false
    }
}
