// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes

extension HTTPFields {
    /// Adds the headers of every answer: only what `policy` allows may run, load or frame.
    ///
    /// The referrer policy is `same-origin` because under `no-referrer` a form without script sends
    /// `ActionOrigin: null`, which can't be distinguished from a foreign origin.
    mutating func addSecurity(_ policy: String) {
        self[.contentSecurityPolicy] = policy
        self[.xContentTypeOptions] = "nosniff"
        self[.referrerPolicy] = "same-origin"
        self[.crossOriginResourcePolicy] = "same-origin"
        if self[.cacheControl] == nil { self[.cacheControl] = "no-store" }
    }
}

extension HTTPField.Name {
    /// A name that is known to be one.
    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header") }
        return name
    }

    static let referrerPolicy = known("Referrer-Policy")
    static let crossOriginResourcePolicy = known("Cross-Origin-Resource-Policy")
    static let host = known("Host")
    static let lastEventID = known("Last-Event-ID")
    static let onwardVisit = known("Onward-Visit")
    static let onwardOrder = known("Onward-Order")
    static let secFetchDest = known("Sec-Fetch-Dest")
    static let secFetchMode = known("Sec-Fetch-Mode")
    static let secFetchSite = known("Sec-Fetch-Site")
}
#endif
