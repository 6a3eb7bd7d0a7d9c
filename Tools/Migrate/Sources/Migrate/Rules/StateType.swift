// SPDX-License-Identifier: MIT

extension Rule {
    static let stateType = Rule(
        name: "state-type", certainty: .differs,
        what: "an extension of StateType",
        why: "StateType is another name of Any now and cannot be extended.",
        write: "Give the states a protocol of your own.",
        example: """
            protocol Described {}

            extension Described {
                var summary: String { "\\(self)" }
            }
            """
    ) { file, codeBase in
        guard !codeBase.declares("StateType") else { return [] }
        return file.outline.types.filter { $0.kind == .extension && $0.name == "StateType" }
            .map { Place($0.place) }
    }
}
