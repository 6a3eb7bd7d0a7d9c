// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let subclass = Rule(
        name: "subclass", certainty: .differs,
        what: "a subclass of Store does not say that it is safe to share",
        why: """
            The class vouches for its own safety; a subclass has to for its variables, and is warned \
            if it does not.
            """,
        write: "Guard its variables, then write @unchecked Sendable behind its superclass.",
        example: """
            final class AppStore: Store<AppState>, @unchecked Sendable {}
            """
    ) { file, codeBase in
        file.outline.types.filter { type in
            type.kind == .class && codeBase.isStore(type.name)
                && type.inherited.first?.simpleName.map(codeBase.isStore) == true
                && !type.inherited.contains {
                    $0.trimmedDescription.hasSuffix("@unchecked Sendable")
                }
        }.map { Place($0.place) }
    }
}
