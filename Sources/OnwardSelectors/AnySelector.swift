// SPDX-License-Identifier: MIT

internal import OnwardCore

/// A selector of which another one is made, without the type of its value.
@usableFromInline
struct AnySelector<State: Sendable>: Sendable {
    let inputs: [AnySelector]
    /// How many selectors there are on the longest way to the state, this one included.
    let depth: Int
    /// Of the selector, or of the member of a family, as of another one each time.
    let mark: ObjectIdentifier
    /// Puts the selector to work, which keeps its node as long as that is kept.
    let node: @Sendable (SelectorSite<State>) -> AnySelectorNode?

    /// How many selectors may be made of one another: releasing them takes a little of the stack for each.
    static var greatestDepth: Int { 500 }

    @usableFromInline
    init<Value>(_ selector: StateSelector<State, Value>) {
        inputs = selector.inputs
        depth = selector.depth
        mark = ObjectIdentifier(selector.life)
        node = { $0.input(selector).node }
    }
}

extension StateSelector {
    /// How many selectors there are on the longest way to the state, this one included.
    var depth: Int { 1 + (inputs.lazy.map(\.depth).max() ?? 0) }
}
