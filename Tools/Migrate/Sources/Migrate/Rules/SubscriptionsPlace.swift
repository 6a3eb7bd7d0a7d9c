// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let subscriptionsPlace = Rule(
        name: "subscriptions-place", certainty: .look,
        what: "subscriptions stand among other middlewares",
        why: """
            Subscribers are notified when the action was reduced, before middlewares behind this one \
            in the list of an action's way out have run, and not of actions that never reach the \
            reducer.
            """,
        write: "Leave it, unless a subscriber counts on what such a middleware has done.",
        example: """
            let subscriptions = Subscriptions<Int, String>()
            let store = Store<Int>(
                reducer: { action, state in (state ?? 0) + ((action as? Add)?.amount ?? 0) }, state: nil,
                middlewares: [subscriptions.middleware])
            """
    ) { file, codeBase in
        guard file.imports.contains("ReduxSwift") else { return [] }
        return file.outline.calls.compactMap { call in
            guard let list = call.argument("middlewares")?.as(ArrayExprSyntax.self)?.elements,
                list.count > 1
            else { return nil }
            return list.lazy
                .compactMap { $0.expression.as(MemberAccessExprSyntax.self) }
                .first { $0.declName.baseName.text == "middleware" && $0.base != nil }
                .map { Place($0.declName) }
        }
    }
}
