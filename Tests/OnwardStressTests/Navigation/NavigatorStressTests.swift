// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import Testing

@testable import TestSupport

@Suite struct NavigatorStressTests {
    @Test
    func `however many threads move, and however fast, the driver ends where the state is`() async {
        let store = Store(RouteStack(Screen.menu)) { Navigation<Screen>(depthLimit: 8) }
        let mirror = Mirror()
        let navigator = Navigator(showing: \.self, of: store, with: mirror)
        await withTaskGroup { group in
            for seed in 0..<4 as Range<UInt64> {
                group.addTask {
                    var generator = SeededGenerator(seed: seed)
                    for _ in 0..<scaled(500) {
                        store.dispatch(Self.action(&generator))
                        if Bool.random(using: &generator) { await Task.yield() }
                    }
                }
            }
            for _ in 0..<4 { group.addTask { for _ in 0..<20 { await navigator.rest() } } }
        }
        await store.waitUntilIdle()
        await navigator.rest()
        #expect(await mirror.levels == store.state.levels)
        #expect(await mirror.mistakes == 0)
    }

    private static func action(_ generator: inout SeededGenerator) -> NavigationAction<Screen> {
        let screen = Screen.album(.random(in: 0..<5, using: &generator), side: nil)
        return switch Int.random(in: 0..<6, using: &generator) {
        case 0: .pop
        case 1: .popTo(screen)
        case 2: .replace(screen)
        case 3: .present(screen)
        default: .push(screen)
        }
    }
}

/// A driver that does what it is asked and counts what doesn't fit.
private actor Mirror: NavigationDriver {
    private(set) var levels: [RouteLevel<Screen>] = []
    private(set) var mistakes = 0

    func perform(_ step: NavigationStep<RouteLevel<Screen>>) async {
        switch step {
        case .push(let level, at: let index):
            if index != levels.count { mistakes += 1 }
            levels.append(level)
        case .pop(let level, at: let index):
            if levels.last != level || index != levels.count - 1 { mistakes += 1 }
            if !levels.isEmpty { levels.removeLast() }
        case .change(let old, to: let new, at: let index):
            if levels.last != old || index != levels.count - 1 { mistakes += 1 }
            if !levels.isEmpty { levels[levels.count - 1] = new }
        }
        await Task.yield()
    }
}
