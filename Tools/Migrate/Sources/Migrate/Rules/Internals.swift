// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let internals = Rule(
        name: "internals", certainty: .differs,
        what: "a test uses the internals of a library",
        why: """
            The module has other internals; of those of the original it has store.subscriptions, and \
            Thunk's body is public.
            """,
        write:
            "Use what is public: dispatch, and look at the state or at what a subscriber was given.",
        example: """
            @testable import ReSwift

            func reset(_ store: Store<AppState>) { store.subscriptions.removeAll() }
            """
    ) { file, codeBase in
        guard file.outline.imports.contains(where: { $0.isTestable && $0.isOfCompatibleModule })
        else { return [] }
        return file.outline.references.filter { reference in
            let name = reference.baseName.text
            return internalNames.contains(name) && !codeBase.knows(name)
        }.map { Place($0) }
            + file.outline.typeNames.filter { type in
                internalNames.contains(type.name.text) && !codeBase.declares(type.name.text)
            }.map { Place($0) }
    }

    /// What tests of the originals use, and the modules of Onward don't have.
    private static let internalNames: Set = [
        "newValues", "SubscriptionType", "raiseFatalError", "withSpecificTypes", "Synchronized",
        "AtomicBool", "RoutingActions", "lastNavigationState", "largestCommonSubroute",
        "routableIndexForRouteSegment", "routingActionsForTransition",
        "routingActionsForTransitionFrom", "waitForRoutingCompletionQueue",
    ]
}

extension ImportDeclSyntax {
    fileprivate var isOfCompatibleModule: Bool {
        moduleName.map { Module.compatible.contains($0) || Module.ofPods[$0] != nil } ?? false
    }
}
