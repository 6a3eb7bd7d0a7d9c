// SPDX-License-Identifier: MIT

internal import SwiftSyntax

extension Rule {
    static let otherLibrary = Rule(
        name: "other-library", certainty: .look,
        what: "a library that seems to be built on ReSwift",
        why: """
            It brings the original, a second module of the same name; its stores and actions are not \
            those of this app.
            """,
        write: """
            Take its source files into the app, where they compile against the module of Onward; for \
            recorders and time travel, attach to store.onward.
            """,
        example: """
            import Onward
            import ReSwift

            struct Lister: CommitObserver {
                typealias State = OnwardState<AppState>

                func observe(_ commit: Commit<State>) { print(commit.entry.action) }
            }
            """
    ) { file, codeBase in
        guard !file.isManifest else { return [] }
        return file.outline.imports.filter { node in
            guard let name = node.moduleName, name.isNamedAfterReSwift else { return false }
            return !Module.compatible.contains(name) && Module.ofPods[name] == nil
                && !codeBase.isOwnModule(name)
        }.map { Place($0) }
    }
}

extension String {
    /// Whether a module's name says that it belongs to ReSwift: `ReRxSwift`, `ReSwiftMonitor`.
    ///
    /// `ReSwifter` is a word of its own, and ReactiveReSwift a library of its own.
    fileprivate var isNamedAfterReSwift: Bool {
        if hasPrefix("ReRxSwift") { return true }
        if contains("ReactiveReSwift") { return false }
        guard let range = firstRange(of: "ReSwift") else { return false }
        return self[range.upperBound...].first?.isLowercase != true
    }
}
