// SPDX-License-Identifier: MIT
#if Server

import Onward
import OnwardNavigation

/// The routes of a page, with their type.
struct TypedPageRoutes<State: Sendable, Route: Equatable & Sendable>: PageRoutes {
    let tabs: any WritableKeyPath<State, RouteTabs<Route>> & Sendable
    let codec: RouteCodec<Route>
    let title: @Sendable (Route) -> String
    let isThere: @Sendable (State, Route) -> Bool
    let view: @Sendable (SelectorReader<State>, RouteStack<Route>, OwnState?) -> [Fragment]

    func isKnown(_ url: String) -> Bool { codec.find(url) != nil }

    func location(at url: String) -> PageLocation<State> { location(at: codec.stack(at: url)) }

    func location(behind action: (any Action)?, from url: String) -> PageLocation<State> {
        var stack = codec.stack(at: url)
        if let action = action as? NavigationAction<Route> { stack.apply(action) }
        return location(at: stack)
    }

    func location(of tab: String, in state: State, was: PageLocation<State>?) -> PageLocation<
        State
    >? {
        guard let stack = state[keyPath: tabs][tab] else { return nil }
        if let was, was.stack as? RouteStack<Route> == stack { return was }
        return location(at: stack)
    }

    func tabs(in state: State) -> [String] { state[keyPath: tabs].open.map(\.id) }

    func opening(_ tab: String, at url: String, in state: State) -> TabStep? {
        guard state[keyPath: tabs][tab] == nil else { return nil }
        return TabStep(action: TabAction.open(tab, at: codec.stack(at: url)), address: slice)
    }

    func closing(_ tab: String) -> TabStep {
        TabStep(action: TabAction<Route>.close(tab), address: slice)
    }

    func step(_ tab: String, _ move: Move, in state: State) -> TabStep? {
        guard let stack = state[keyPath: tabs][tab] else { return nil }
        let route = codec.route(at: move.url)
        let action: NavigationAction<Route>? =
            switch move.kind {
            case .open: nil
            case .push, .forward: .push(route)
            case .replace: .replace(route)
            // The history may reach further back than the stack, as after a reload.
            case .back where stack.levels.contains { $0.route == route }: .popTo(route)
            case .back: .show(codec.stack(at: move.url))
            }
        guard let action, stack.current != route else { return nil }
        return step(action, to: tab)
    }

    func step(_ action: any Action, to tab: String) -> TabStep? {
        guard action is NavigationAction<Route> else { return nil }
        return TabStep(
            action: action, address: slice.appending(RouteTabs<Route>.address(ofTab: tab)))
    }

    func isForTab(_ action: any Action) -> Bool { action is NavigationAction<Route> }

    func isReserved(_ type: any Action.Type) -> Bool { type == TabAction<Route>.self }

    /// Where the tabs are.
    private var slice: Address { AddressPath<State>.child(tabs).address }

    private func location(at stack: RouteStack<Route>) -> PageLocation<State> {
        let urls = stack.levels.map { codec.text(of: $0.route) ?? "/not-found" }
        let slots = stack.levels.map { $0.slot?.name ?? "" }
        return PageLocation(
            path: zip(urls, slots).map { "\($0) \($1)" }.joined(separator: "\n"),
            tabLocation: TabLocation(urls: urls, title: title(stack.current)),
            draw: { [view] reader, own in view(reader, stack, own) },
            isThere: { [isThere] state in isThere(state, stack.current) }, stack: stack)
    }
}
#endif
