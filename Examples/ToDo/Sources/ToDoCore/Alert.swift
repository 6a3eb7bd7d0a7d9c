// SPDX-License-Identifier: MIT

public import Onward
import ToDoSync

/// What a user has to know: what went wrong, why, and the button that closes it.
public typealias Alert = Dialog<ListAction>

extension Alert {
    private static func alert(_ title: String, _ reason: String) -> Alert {
        Alert(title, message: reason, [Button("Accept", .accept)])
    }

    static func gettingFailed(_ problem: Problem) -> Alert {
        alert("The tasks couldn't be loaded.", problem.reason)
    }

    static func failed(_ kind: Change.Kind, of name: String, _ problem: Problem) -> Alert {
        let verb =
            switch kind {
            case .create: "created"
            case .update: "saved"
            case .delete: "deleted"
            }
        let isKept = problem.isRefusal ? "" : " The change is kept and can be sent again."
        return alert("“\(name)” couldn't be \(verb).", problem.reason + isKept)
    }

    static var unknownTask: Alert {
        alert("There is no such task.", "It may have been deleted.")
    }

    static var nameless: Alert { alert("The task has no title.", "Every task needs one.") }
}
