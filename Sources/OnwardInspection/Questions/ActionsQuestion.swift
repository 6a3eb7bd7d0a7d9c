// SPDX-License-Identifier: MIT

/// Which actions can be dispatched.
package struct ActionsQuestion: LogQuestion {
    package static let address = "actions"
    package static let tool: QuestionTool? = QuestionTool(
        "actions", "The actions that can be dispatched, with their fields.")

    package init() {}

    package func answer(from store: AskedStore) -> ActionForms {
        ActionForms(actions: store.store.actionForms, names: store.store.actionNames)
    }
}

/// The actions that can be dispatched, with their fields; and the names of their types.
package struct ActionForms: LogAnswer, Codable {
    package var actions: [ActionForm] = []
    package var names: [String] = []

    package init(actions: [ActionForm] = [], names: [String] = []) {
        (self.actions, self.names) = (actions, names)
    }

    package static var example: ActionForms {
        ActionForms(actions: [ActionForm(name: "", fields: [])], names: [""])
    }
    package var bounded: ActionForms {
        ActionForms(actions: Array(actions.prefix(1_000)), names: Array(names.prefix(1_000)))
    }
    package var lines: [String] {
        actions.map { form in
            let fields = form.fields.map {
                "\($0.name): \($0.kind.rawValue)\($0.isOptional ? "?" : "")"
            }
            return "\(form.name)(\(fields.joined(separator: ", ")))"
        }
    }
}
