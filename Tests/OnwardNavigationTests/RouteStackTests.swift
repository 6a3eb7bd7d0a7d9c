// SPDX-License-Identifier: MIT

import Foundation
import Onward
import OnwardNavigation
import Testing

@testable import TestSupport

@Suite struct RouteStackTests {
    @Test
    func `pushes and pops screens, and keeps its root`() {
        var stack = RouteStack(Screen.menu)
        stack.push(.categories)
        stack.push(.game)
        #expect(stack.screens == [.menu, .categories, .game])
        #expect(stack.current == .game)
        #expect(stack.pop() == .game)
        #expect(stack.pop() == .categories)
        #expect(stack.pop() == nil)
        #expect(stack == RouteStack(.menu))
    }

    @Test
    func `going to the screen that is shown changes nothing`() {
        let stack = RouteStack(Screen.menu, .game)
        for action: NavigationAction<Screen> in [
            .push(.game), .popTo(.game), .replace(.game), .show(stack), .dismiss(),
        ] {
            var changed = stack
            changed.apply(action)
            #expect(changed == stack, "\(action)")
        }
    }

    @Test
    func `pops to the nearest equal screen, and nowhere if there is none`() {
        var stack = RouteStack(Screen.menu, .game, .menu, .categories)
        let found = stack.popTo(.menu)
        #expect(found)
        #expect(stack.screens == [.menu, .game, .menu])
        let missed = stack.popTo(.categories)
        #expect(!missed)
        #expect(stack.screens == [.menu, .game, .menu])
        stack.present(.categories)
        stack.present(.notFound, in: .alert)
        stack.popTo(.categories)
        #expect(stack.current == .categories)
        stack.popToRoot()
        #expect(stack == RouteStack(.menu))
    }

    @Test
    func `replaces the current screen, also the root`() {
        var stack = RouteStack(Screen.menu, .game)
        stack.replace(with: .categories)
        #expect(stack.screens == [.menu, .categories])
        stack.pop()
        stack.replace(with: .game)
        #expect(stack == RouteStack(.game))
    }

    @Test
    func `presents one thing in each slot, the latest slot on top`() {
        var stack = RouteStack(Screen.menu)
        stack.present(.categories)
        stack.present(.notFound, in: .alert)
        #expect(stack.current == .notFound)
        #expect(stack.screen == .menu)
        stack.present(.game)
        #expect(stack[.sheet] == .game)
        #expect(stack[.alert] == .notFound)
        #expect(stack[ModalSlot("player")] == nil)
        #expect(
            stack.presented == [RouteLevel(.game, in: .sheet), RouteLevel(.notFound, in: .alert)])
        #expect(stack.screens == [.menu])
        #expect(stack.root == .menu)
    }

    @Test
    func `dismisses a slot, or what is on top`() {
        var stack = RouteStack(Screen.menu, .game)
        stack.present(.categories)
        stack.present(.notFound, in: .alert)
        #expect(stack.dismiss(.sheet) == .categories)
        #expect(stack.dismiss(.sheet) == nil)
        #expect(stack.dismiss() == .notFound)
        #expect(stack.dismiss() == nil)
        #expect(stack.screens == [.menu, .game])
        stack.present(.categories)
        #expect(stack.pop() == .categories)
        #expect(stack.pop() == .game)
    }

    @Test
    func `going to another screen dismisses what is presented`() {
        for action: NavigationAction<Screen> in [
            .push(.game), .popTo(.categories), .popToRoot, .replace(.game),
        ] {
            var stack = RouteStack(Screen.menu, .categories)
            stack.present(.notFound)
            stack.present(.notFound, in: .alert)
            stack.apply(action)
            #expect(stack.presented.isEmpty, "\(action)")
            #expect(stack.current == stack.screens.last, "\(action)")
        }
    }

    @Test
    func `forgets the oldest screens upon the root`() {
        var stack = RouteStack(Screen.menu, .album(1, side: nil), .album(2, side: nil), .game)
        stack.present(.notFound)
        stack.forgetScreens(beyond: 4)
        #expect(stack.screens.count == 4)
        stack.forgetScreens(beyond: 2)
        #expect(stack.screens == [.menu, .game])
        #expect(stack[.sheet] == .notFound)
        stack.forgetScreens(beyond: 0)
        #expect(stack.screens == [.game])
        #expect(stack.current == .notFound)
    }

    @Test
    func `is written and read as its levels`() throws {
        var stack = RouteStack(Screen.menu, .album(7, side: "b"))
        stack.present(.categories)
        let data = try JSONEncoder().encode(stack)
        #expect(try JSONDecoder().decode(RouteStack<Screen>.self, from: data) == stack)
    }

    @Test(arguments: [
        "[]", #"[{"route":1,"slot":"sheet"}]"#,
        #"[{"route":1},{"route":2,"slot":"sheet"},{"route":3}]"#,
        #"[{"route":1},{"route":2,"slot":"sheet"},{"route":3,"slot":"sheet"}]"#,
    ])
    func `levels that are no stack are refused`(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(RouteStack<Int>.self, from: Data(json.utf8))
        }
    }
}
