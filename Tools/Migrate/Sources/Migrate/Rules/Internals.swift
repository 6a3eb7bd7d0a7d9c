// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let internals = Rule(
        name: "internals", certainty: .differs,
        what: "a file uses the internals of a library",
        why: "The module has other internals; only its public interface is the same.",
        write: "Remove @testable, and use what is public.",
        example: """
            import ReSwift
            """
    ) { file, _ in
        file.outline.imports.compactMap { node in
            guard node.isTestable, Module.compatible.contains(node.path.first?.name.text ?? "")
            else {
                return nil
            }
            let attributes = node.attributes.filter { $0.trimmedDescription != "@testable" }
                .map { $0.trimmedDescription + " " }.joined()
            let whole = node.with(\.attributes, [])
            return Place(
                node, edits: [Edit(replacing: node, with: attributes + whole.trimmedDescription)])
        }
    }
}

extension ImportDeclSyntax {
    fileprivate var isTestable: Bool {
        attributes.contains { $0.trimmedDescription == "@testable" }
    }
}
