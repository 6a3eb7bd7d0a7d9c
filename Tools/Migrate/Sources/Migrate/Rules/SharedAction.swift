// SPDX-License-Identifier: MIT

extension Rule {
    static let sharedAction = Rule(
        name: "shared-action", certainty: .look,
        what: "an action is a class with variables",
        why: "The log keeps it: it must not change after it was dispatched.",
        write: "Make it a struct, or its variables constants.",
        example: """
            struct Load: Action {
                let url: String
            }
            """
    ) { file, codeBase in
        file.outline.types.filter { type in
            type.kind == .class && codeBase.isAction(type.name)
                && (codeBase.types[type.name]?.properties.values
                    .contains { $0.isVariable && $0.isStored && !$0.isStatic } ?? false)
        }.map { Place($0.place) }
    }
}
