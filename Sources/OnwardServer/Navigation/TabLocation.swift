// SPDX-License-Identifier: MIT
#if Server

import Onward

/// Where a tab is, as its address bar and its history must show it.
struct TabLocation: Hashable, Sendable {
    /// The URLs of what is shown, from the root to what lies on top.
    let urls: [String]
    /// The document's title.
    let title: String

    /// The URL for the address bar.
    var url: String { urls.last ?? "/" }

    /// The location at a version as JSON: `{"routes":["/","/game"],"title":…,"version":7}`.
    func json(at version: CommitVersion) -> String {
        EventLine.encode(Message(routes: urls, title: title, version: version))
    }

    private struct Message: Encodable {
        let routes: [String]
        let title: String
        let version: CommitVersion
    }
}
#endif
