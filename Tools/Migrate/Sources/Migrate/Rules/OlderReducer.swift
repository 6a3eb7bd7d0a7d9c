// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let olderReducer = Rule(
        name: "older-reducer", certainty: .differs,
        what: "a reducer that is an object",
        why: "Reducers became functions in ReSwift 4; the protocol and its combinations are gone.",
        write: "Make it a function, and call the parts of a combined one in turn.",
        example: """
            func appReducer(action: any Action, state: AppState?) -> AppState {
                AppState(
                    counter: counterReducer(action: action, state: state?.counter),
                    settings: settingsReducer(action: action, state: state?.settings))
            }
            """
    ) { file, codeBase in
        guard file.imports.contains("ReSwift") else { return [] }
        let conformances = file.outline.types.filter { type in
            type.kind != .protocol
                && type.inherited.contains { inherited in
                    let name = inherited.simpleName ?? ""
                    return ["Reducer", "AnyReducer"].contains(name) && !codeBase.declares(name)
                        && inherited.genericArguments.isEmpty
                }
        }.map { Place($0.place) }
        let names: Set = ["CombinedReducer", "AnyReducer", "MainReducer"]
        let uses = file.outline.calls.filter { call in
            call.constructedType.map { names.contains($0) && !codeBase.declares($0) } ?? false
        }.map { Place($0.place) }
        let types = file.outline.typeNames.filter {
            $0.name.text == "AnyReducer" && !codeBase.declares("AnyReducer")
        }.map { Place($0) }
        return conformances + uses + types
    }
}
