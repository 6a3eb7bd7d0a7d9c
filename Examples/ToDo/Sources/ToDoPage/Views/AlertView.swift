// SPDX-License-Identifier: MIT

import Onward
import ToDoCore

/// What went wrong; empty while nothing did.
struct AlertView: Equatable, Sendable {
    struct Button: Equatable, Sendable {
        let label: String
        /// The action that the form sends.
        let type: String
    }

    let isShown: Bool
    let title: String
    let message: String
    let buttons: [Button]

    init(_ alert: Alert?) {
        isShown = alert != nil
        (title, message) = (alert?.title ?? "", alert?.message ?? "")
        buttons = (alert?.buttons ?? []).compactMap { button in
            button.action.map { Button(label: button.label, type: $0.wireName) }
        }
    }
}
