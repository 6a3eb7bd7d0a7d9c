// SPDX-License-Identifier: MIT

import ToDoCore

/// What went wrong; empty while nothing did.
struct AlertView: Equatable, Sendable {
    let isShown: Bool
    let message: String
    let reason: String
    let button: String

    init(_ alert: Alert?) {
        isShown = alert != nil
        (message, reason) = (alert?.message ?? "", alert?.reason ?? "")
        button = alert?.button ?? ""
    }
}
