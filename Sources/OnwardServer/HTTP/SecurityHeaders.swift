// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes

extension HTTPFields {
    /// Adds what every answer carries: only the page's own content may run, load or frame.
    ///
    /// The referrer policy is `same-origin` because under `no-referrer` a form without script sends
    /// `Origin: null`, which can't be notified from a foreign one.
    mutating func addSecurity() {
        self[.contentSecurityPolicy] = """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
            font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; \
            base-uri 'none'; frame-ancestors 'none'
            """
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

    static var referrerPolicy: HTTPField.Name { known("Referrer-Policy") }
    static var crossOriginResourcePolicy: HTTPField.Name { known("Cross-Origin-Resource-Policy") }
    static var host: HTTPField.Name { known("Host") }
    static var lastEventID: HTTPField.Name { known("Last-Event-ID") }
    static var onwardVisit: HTTPField.Name { known("Onward-Visit") }
    static var onwardOrder: HTTPField.Name { known("Onward-Order") }
    static var secFetchDest: HTTPField.Name { known("Sec-Fetch-Dest") }
    static var secFetchSite: HTTPField.Name { known("Sec-Fetch-Site") }
}
#endif
