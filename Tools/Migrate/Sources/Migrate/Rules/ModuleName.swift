// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let moduleName = Rule(
        name: "module-name", certainty: .differs,
        what: "a module by the name that CocoaPods gives it",
        why: "Its pod has a hyphen, which becomes an underscore; the package's module has neither.",
        write: "Import ReSwiftThunk or ReSwiftRouter.",
        example: """
            import ReSwiftThunk
            """
    ) { file, codeBase in
        let names = Module.ofPods.filter { !codeBase.isOwnModule($0.key) }
        let imports = file.outline.imports.compactMap { $0.path.first?.name }
        // Before a name of the module: `ReSwift_Thunk.Thunk`.
        let expressions = file.outline.references.compactMap { reference in
            reference.parent?.as(MemberAccessExprSyntax.self)?.base?.id == ExprSyntax(reference).id
                ? reference.baseName : nil
        }
        let types = file.outline.typeNames.compactMap { type in
            type.parent?.is(MemberTypeSyntax.self) == true ? type.name : nil
        }
        return (imports + expressions + types).compactMap { token in
            names[token.text].map { Place(token, edits: [Edit(replacing: token, with: $0)]) }
        }
    }
}
