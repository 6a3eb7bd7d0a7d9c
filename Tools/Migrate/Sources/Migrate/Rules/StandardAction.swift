// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let standardAction = Rule(
        name: "standard-action", certainty: .differs,
        what: "actions as dictionaries, which ReSwift 6 no longer has",
        why: "StandardAction and what belongs to it are not part of the module.",
        write: "Make the actions Codable where they are stored; else remove the conformance.",
        example: """
            struct Add: Action, Codable {
                let amount: Int
            }
            """
    ) { file, codeBase in
        guard file.imports.contains("ReSwift") else { return [] }
        let names = Set(["StandardAction", "StandardActionConvertible", "TypeMap"])
            .filter { !codeBase.declares($0) }
        return file.outline.typeNames.filter { names.contains($0.name.text) }.map { Place($0) }
            + file.outline.references.filter { names.contains($0.baseName.text) }.map { Place($0) }
    }
}
