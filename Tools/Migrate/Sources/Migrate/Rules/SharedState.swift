// SPDX-License-Identifier: MIT

extension Rule {
    static let sharedState = Rule(
        name: "shared-state", certainty: .look,
        what: "a class is, or is part of, a state",
        why: """
            It is the same object in every version of the log: a timeline cannot bring old values \
            back, changes are not seen as changes, and threads share it.
            """,
        write: "Make it a struct.",
        example: """
            struct Session: Equatable, Sendable {
                var token: String?
            }
            """
    ) { file, codeBase in
        file.outline.types.filter { type in
            guard type.kind == .class else { return false }
            return codeBase.stateNames.contains(type.name)
                || (codeBase.lineage(of: type.name).contains("StateType")
                    && !codeBase.declares("StateType"))
        }.map { Place($0.place) }
    }
}
