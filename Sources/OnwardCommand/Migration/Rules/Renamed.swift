// SPDX-License-Identifier: MIT
#if CommandLineTool
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
        return file.outline.references.filter { $0.baseName.text == "createThunksMiddleware" }
            .map { Place($0, edits: [Edit(replacing: $0, with: "createThunkMiddleware")]) }
    }
}
#endif
