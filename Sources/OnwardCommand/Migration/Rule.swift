// SPDX-License-Identifier: MIT

/// Something that is different with the compatible modules, and how to find where.
struct Rule {
    /// The names of the rules, which findings end with and the migration guide explains.
    enum Name: String, CaseIterable {
        case dispatchInNewState = "dispatch-in-new-state"
        case dispatchInReducer = "dispatch-in-reducer"
        case ownComparison = "own-comparison"
        case filter = "filter"
        case backgroundDispatch = "background-dispatch"
        case lockedDispatch = "locked-dispatch"
        case sharedState = "shared-state"
        case sharedAction = "shared-action"
        case subclass = "subclass"
        case internals = "internals"
        case twoImports = "two-imports"
        case stateType = "state-type"
        case olderReducer = "older-reducer"
        case missingCompletion = "missing-completion"
        case subscriptionsPlace = "subscriptions-place"
    }

    let name: Name
    let certainty: Finding.Certainty
    let advice: String
    /// The places in a file, of which the whole code base may tell more.
    let places: @Sendable (SourceText, CodeBase) -> [String.Index]

    /// What the rule finds in a file; one finding a line.
    func findings(in source: SourceText, of codeBase: CodeBase) -> [Finding] {
        Set(places(source, codeBase).map(source.line)).map { line in
            Finding(
                path: source.path, line: line, rule: name, certainty: certainty, advice: advice)
        }
    }
}
