// SPDX-License-Identifier: MIT
#if Server

import Onward

/// Where a reader is on a page: what is drawn there, and what the browser shows around it.
struct PageLocation<State: Sendable>: Sendable {
    /// The path through the screens; empty on a page without routes.
    let path: String
    /// The state of the visitor who sees it; nil if everyone sees the same.
    private(set) var own: OwnState?
    /// What the address bar and the history show.
    let tabLocation: TabLocation
    /// What is drawn.
    let draw: @Sendable (SelectorReader<State>, OwnState?) -> [Fragment]
    /// Whether what it shows exists in a state; if not, its document is answered with 404.
    let isThere: @Sendable (State) -> Bool
    /// The stack of routes it was made from; nil for a page without routes.
    let stack: (any Sendable)?

    init(
        path: String, tabLocation: TabLocation,
        draw: @escaping @Sendable (SelectorReader<State>, OwnState?) -> [Fragment],
        isThere: @escaping @Sendable (State) -> Bool = { _ in true }, stack: (any Sendable)?
    ) {
        self.path = path
        self.tabLocation = tabLocation
        self.draw = draw
        self.isThere = isThere
        self.stack = stack
    }

    /// Equal for all readers that see the same.
    var key: LocationKey { LocationKey(path: path, own: own) }

    /// The location as a visitor sees it.
    func seen(by own: OwnState?) -> PageLocation {
        var location = self
        location.own = own
        return location
    }

    /// The URL for the address bar.
    var url: String { tabLocation.url }
}

/// What distinguishes the views of readers.
struct LocationKey: Hashable, Sendable {
    let path: String
    let own: OwnState?
}
#endif
