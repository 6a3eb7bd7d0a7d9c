// SPDX-License-Identifier: MIT
#if Server

import Onward

@testable import OnwardServer

extension PageRenderer {
    /// Renders a state that is in no store.
    mutating func render(_ state: State, version: CommitVersion) throws(PageError) -> RenderedPage {
        try render(SelectorReader(state, version: version))
    }
}
#endif
