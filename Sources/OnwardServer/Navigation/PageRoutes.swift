// SPDX-License-Identifier: MIT
#if Server

import Onward

/// What a page knows about the routes in its state, without their type.
///
/// Incoming URLs may be anything; outgoing ones are canonical.
protocol PageRoutes<State>: Sendable {
    associatedtype State: Sendable

    /// Whether a URL belongs to a route, not just to the one for unknown URLs.
    func isKnown(_ url: String) -> Bool
    /// Where a link to a URL leads.
    func location(at url: String) -> PageLocation<State>
    /// Where an action leads that comes from a tab without script, which the state doesn't know.
    func location(behind action: (any Action)?, from url: String) -> PageLocation<State>
    /// Where a tab is; returns the same value if it didn't move, or nil if it isn't open.
    func location(of tab: String, in state: State, was: PageLocation<State>?) -> PageLocation<
        State
    >?

    /// The open tabs.
    func tabs(in state: State) -> [String]
    /// The step that opens a tab at a URL; nil if it is open.
    func opening(_ tab: String, at url: String, in state: State) -> TabStep?
    /// The step that closes a tab.
    func closing(_ tab: String) -> TabStep
    /// The step that moves an open tab to its destination; nil if it is already there.
    func step(_ tab: String, _ move: Move, in state: State) -> TabStep?
    /// The step that applies an action to a tab, if tabs handle it.
    func step(_ action: any Action, to tab: String) -> TabStep?

    /// Whether an action is for a tab.
    func isForTab(_ action: any Action) -> Bool
    /// Whether only the server itself may send actions of a type.
    func isReserved(_ type: any Action.Type) -> Bool
}

/// An action for the tabs in a state.
struct TabStep: Sendable {
    let action: any Action
    let address: Address
}
#endif
