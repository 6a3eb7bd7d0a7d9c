// SPDX-License-Identifier: MIT
#if CommandLineTool
internal import SwiftSyntax

extension Rule {
    static let olderRouter = Rule(
        name: "older-router", certainty: .differs,
        what: "a router with a selector, as early versions had it",
        why: "The router is handed a subscription of the state, not the state.",
        write: "Write stateTransform, and select from the subscription.",
        example: """
            let router = Router(store: store, rootRoutable: root) { $0.select { $0.navigation } }
            """
    ) { file, codeBase in
        file.outline.calls.filter { call in
            call.constructedType == "Router" && !codeBase.declares("Router")
        }.compactMap { call in
            call.arguments.first { $0.label?.text == "stateSelector" }.map { Place($0) }
        }
    }
}
#endif
