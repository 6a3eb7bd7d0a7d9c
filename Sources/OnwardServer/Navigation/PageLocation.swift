// SPDX-License-Identifier: MIT
#if Server

import Onward

/// Where a reader is on a page: what is drawn there, and what the browser shows around it.
struct PageLocation<State: Sendable>: Sendable {
    /// The same for all readers that see the same.
    let key: String
    /// What the address bar and the history show.
    let tabLocation: TabLocation
    /// What is drawn.
    let draw: @Sendable (SelectorReader<State>) -> [Fragment]
    /// The stack of routes it was made from; nil for a page without routes.
    let stack: (any Sendable)?

    /// The URL for the address bar.
    var url: String { tabLocation.url }
}
#endif
