// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let olderThunk = Rule(
        name: "older-thunk", certainty: .differs,
        what: "a thunk by a name of early versions",
        why: "ThunkAction and ThunkMiddleware are not part of the module.",
        write: "Write Thunk, with body where action was, and createThunkMiddleware.",
        example: """
            let load = Thunk<AppState> { dispatch, getState in dispatch(Load()) }
            let thunks: Middleware<AppState> = createThunkMiddleware()
            """
    ) { file, codeBase in
        guard file.imports.contains("ReSwiftThunk") else { return [] }
        let names = Set(["ThunkAction", "ThunkMiddleware"])
            .filter { !codeBase.declaresAnywhere($0) }
        return file.outline.typeNames.filter { names.contains($0.name.text) }.map { Place($0) }
            + file.outline.references.filter { names.contains($0.baseName.text) }.map { Place($0) }
    }
}
