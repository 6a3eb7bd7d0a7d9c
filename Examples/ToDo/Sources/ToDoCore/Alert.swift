// SPDX-License-Identifier: MIT

import ToDoSync

/// What a user has to know, with the button that closes it.
public struct Alert: Codable, Equatable, Sendable {
    /// What went wrong.
    public let message: String
    /// Why.
    public let reason: String
    /// What stands on the button.
    public let button: String

    init(_ message: String, _ reason: String, button: String = "Accept") {
        (self.message, self.reason, self.button) = (message, reason, button)
    }

    static func gettingFailed(_ problem: Problem) -> Alert {
        Alert("The tasks couldn't be loaded.", problem.reason)
    }

    static func failed(_ kind: Change.Kind, of name: String, _ problem: Problem) -> Alert {
        let verb =
            switch kind {
            case .create: "created"
            case .update: "saved"
            case .delete: "deleted"
            }
        let isKept = problem.isRefusal ? "" : " The change is kept and can be sent again."
        return Alert("“\(name)” couldn't be \(verb).", problem.reason + isKept)
    }

    static let unknownTask = Alert("There is no such task.", "It may have been deleted.")
    static let nameless = Alert("The task has no title.", "Every task needs one.")
}
