// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation

@testable import TestSupport

/// A driver whose steps take as long as the test wants.
actor Stage: NavigationDriver {
    typealias Step = NavigationStep<RouteLevel<Screen>>

    /// The steps that have begun, in their order.
    private(set) var begun: [Step] = []
    /// How many have ended.
    private(set) var ended = 0
    /// The largest number of steps under way at once.
    private(set) var together = 0
    private var allowed: Int
    private var held: [CheckedContinuation<Void, Never>] = []
    private var watching: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// A driver that lets a number of steps end by themselves.
    init(allowing allowed: Int = .max) { self.allowed = allowed }

    func perform(_ step: Step) async {
        begun.append(step)
        together = max(together, begun.count - ended)
        for watch in watching where watch.count == begun.count { watch.continuation.resume() }
        if ended >= allowed { await withCheckedContinuation { held.append($0) } }
        ended += 1
    }

    /// Lets further steps end.
    func allow(_ count: Int) {
        allowed += count
        for continuation in held { continuation.resume() }
        held = []
    }

    /// Waits until a number of steps have begun.
    func hasBegun(_ count: Int) async {
        guard begun.count < count else { return }
        await withCheckedContinuation { watching.append((count, $0)) }
    }
}
