// SPDX-License-Identifier: MIT

import Onward
import OnwardNavigation
import OnwardTesting
import Testing

@testable import TestSupport

@Suite struct NavigatorTests {
    private let store = Store(RouteStack(Screen.menu)) { Navigation<Screen>() }

    private func level(_ screen: Screen) -> RouteLevel<Screen> { RouteLevel(screen) }

    @Test
    func `shows the stack from its root, then each change`() async {
        let stage = Stage()
        let navigator = Navigator(showing: \.self, of: store, with: stage)
        await navigator.rest()
        store.dispatch(NavigationAction.push(Screen.categories))
        await navigator.rest()
        store.dispatch(NavigationAction.present(Screen.game, in: .alert))
        await navigator.rest()
        store.dispatch(NavigationAction<Screen>.popToRoot)
        await navigator.rest()
        #expect(
            await stage.begun == [
                .push(level(.menu), at: 0), .push(level(.categories), at: 1),
                .push(RouteLevel(.game, in: .alert), at: 2),
                .pop(RouteLevel(.game, in: .alert), at: 2), .pop(level(.categories), at: 1),
            ])
    }

    @Test
    func `what the driver shows already isn't shown again`() async {
        let stage = Stage()
        let navigator = Navigator(
            showing: \.self, of: store, from: [RouteLevel(.menu)], with: stage)
        await navigator.rest()
        #expect(await stage.begun.isEmpty)
        store.dispatch(NavigationAction.replace(Screen.game))
        await navigator.rest()
        #expect(await stage.begun == [.change(level(.menu), to: level(.game), at: 0)])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a driver that does not end a step is reported, with the step`() async {
        let (clock, mistakes) = (ManualClock(), Mistakes())
        var options = mistakes.options()
        options.clock = clock
        let store = Store(RouteStack(Screen.menu), options: options) { Navigation<Screen>() }
        let stage = Stage(allowing: 0)
        let navigator = Navigator(
            showing: \.self, of: store, patience: .seconds(3), with: stage)
        await stage.hasBegun(1)
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        #expect(mistakes.all.isEmpty)
        clock.advance(by: .seconds(1))
        while mistakes.all.isEmpty { await Task.yield() }
        #expect(mistakes.kinds == [.endlessNavigation])
        let text = mistakes.all.first?.description ?? ""
        #expect(
            text.contains("The Stage of a Navigator has not ended a step for 3.0 seconds: push"))
        await stage.allow(9)
        await navigator.rest()
        #expect(mistakes.all.count == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `waiting for rest ends when the task is cancelled`() async {
        let stage = Stage(allowing: 0)
        let navigator = Navigator(showing: \.self, of: store, with: stage)
        await stage.hasBegun(1)
        let early = Task { await navigator.rest() }
        early.cancel()
        await early.value
        let late = Task { await navigator.rest() }
        await Task.yield()
        late.cancel()
        await late.value
        let both = Task { await navigator.rest() }
        await stage.allow(9)
        await both.value
        await navigator.rest()
    }

    @Test
    func `a step begins when the one before has ended`() async {
        let stage = Stage(allowing: 0)
        store.dispatch(NavigationAction.show(RouteStack(Screen.menu, .categories, .game)))
        let navigator = Navigator(showing: \.self, of: store, with: stage)
        for count in 1...3 {
            await stage.hasBegun(count)
            #expect(await stage.begun.count == count)
            await stage.allow(1)
        }
        await navigator.rest()
        #expect(await stage.together == 1)
        #expect(await stage.ended == 3)
    }

    @Test
    func `what came and went while the driver was busy is never shown`() async {
        let stage = Stage(allowing: 0)
        let navigator = Navigator(showing: \.self, of: store, with: stage)
        await stage.hasBegun(1)
        store.dispatch(NavigationAction.push(Screen.categories))
        store.dispatch(NavigationAction<Screen>.pop)
        store.dispatch(NavigationAction.push(Screen.game))
        await stage.allow(2)
        await navigator.rest()
        #expect(await stage.begun == [.push(level(.menu), at: 0), .push(level(.game), at: 1)])
    }

    @Test
    func `released, it takes no further step`() async {
        let stage = Stage(allowing: 0)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        store.dispatch(NavigationAction.show(RouteStack(Screen.menu, .categories)))
        var navigator: Navigator<Screen>? = Navigator(
            showing: \.self, of: store, with: Announced(stage, Parting { end.finish() }))
        await stage.hasBegun(1)
        navigator = nil
        #expect(navigator == nil)
        await stage.allow(2)
        // The driver is released when nothing calls it any more.
        for await _ in ends {}
        #expect(await stage.begun.count == 1)
    }
}

/// A driver whose release a test can await.
private struct Announced: NavigationDriver {
    let stage: Stage
    let parting: Parting

    init(_ stage: Stage, _ parting: Parting) { (self.stage, self.parting) = (stage, parting) }

    func perform(_ step: NavigationStep<RouteLevel<Screen>>) async { await stage.perform(step) }
}
