// SPDX-License-Identifier: MIT
#if Server

import Onward

/// What a page knows about the routes in its state, without their type.
///
/// URLs that come in may be anything; those that go out are canonical.
protocol PageRoutes<State>: Sendable {
    associatedtype State: Sendable

    /// Whether a URL means a route, not just the one for unknown URLs.
    func isKnown(_ url: String) -> Bool
    /// Where a link to a URL leads.
    func location(at url: String) -> PageLocation<State>
    /// Where an action leads that comes from a tab without script, which the state doesn't know.
    func location(behind action: (any Action)?, from url: String) -> PageLocation<State>
    /// Where a tab is, the same value again if it didn't move; nil for one that isn't open.
    func location(of tab: String, in state: State, was: PageLocation<State>?) -> PageLocation<
        State
    >?

    /// The open tabs.
    func tabs(in state: State) -> [String]
    /// What opens a tab at a URL; nil if it is open.
    func opening(_ tab: String, at url: String, in state: State) -> TabStep?
    /// What closes a tab.
    func closing(_ tab: String) -> TabStep
    /// What moves an open tab to where it wants to go; nil when it is already there.
    func step(_ tab: String, _ move: Move, in state: State) -> TabStep?
    /// An action for a tab, if it is one that tabs handle.
    func step(_ action: any Action, to tab: String) -> TabStep?

    /// Whether an action is for a tab.
    func isForTab(_ action: any Action) -> Bool
    /// Whether actions of a type can only be the server's own.
    func isReserved(_ type: any Action.Type) -> Bool
}

/// An action for the tabs in a state.
struct TabStep: Sendable {
    let action: any Action
    let address: Address
}
#endif
