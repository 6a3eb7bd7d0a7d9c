// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let renamed = Rule(
        name: "renamed", certainty: .look,
        what: "a name that later versions changed",
        why: "It compiles, with a warning.",
        write: "Write createThunkMiddleware.",
        example: """
            let thunks: Middleware<AppState> = createThunkMiddleware()
            """
    ) { file, codeBase in
        guard file.imports.contains("ReSwiftThunk") else { return [] }
        return file.outline.references.filter { reference in
            guard reference.baseName.text == "createThunksMiddleware" else { return false }
            if let access = reference.parent?.as(MemberAccessExprSyntax.self),
                access.declName.id == reference.id
            {
                return access.base?.lastName == "ReSwiftThunk"
            }
            // One of the app's own keeps its name.
            return codeBase.functions(named: reference.baseName.text, at: ExprSyntax(reference))
                .isEmpty
        }.map { Place($0, edits: [Edit(replacing: $0, with: "createThunkMiddleware")]) }
    }
}
