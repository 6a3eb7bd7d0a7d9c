// SPDX-License-Identifier: MIT
#if Server

import HTTPTypes
import Hummingbird

/// The sender of a request, as far as it is identified.
struct Caller: Sendable {
    /// The visitors that its cookies name, in order.
    ///
    /// More than one if another program set a cookie of this name for a part of the site or for a
    /// whole domain (RFC 6265 § 8.6).
    let visitors: [VisitorID]
    /// The visitor's tag from the page that sent the request; nil if the page has none.
    let tag: String?
    let address: ClientAddress

    init(_ visitors: [VisitorID], tag: String?, address: ClientAddress) {
        // If there are several visitors, the page's own one comes first.
        self.visitors = visitors.filter { $0.tag == tag } + visitors.filter { $0.tag != tag }
        self.tag = tag
        self.address = address
    }
}

extension Request {
    /// The sender of the request.
    ///
    /// - Parameters:
    ///   - name: The name of the visitor's cookie.
    ///   - tag: The visitor's tag, as the page says.
    ///   - address: The address of its sender.
    /// - Returns: The sender.
    func caller(
        cookie name: @autoclosure () -> String, tag: String?, from address: ClientAddress
    ) -> Caller {
        let fields = headers[values: .cookie]
        if fields.isEmpty { return Caller([], tag: tag, address: address) }
        let name = name()
        var visitors: [VisitorID] = []
        for field in fields {
            for pair in field.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == name else {
                    continue
                }
                if let visitor = VisitorID(cookie: parts[1]), visitors.count < 8 {
                    visitors.append(visitor)
                }
            }
        }
        return Caller(visitors, tag: tag, address: address)
    }
}
#endif
