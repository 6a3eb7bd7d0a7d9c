// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The member of a family that a parameter chose, and its value.
///
/// The value is passed on and not kept, so that the member can continue to change it in place. What
/// is kept is the member, and the number of its evaluation, since those of two members have the same
/// numbers.
struct SelectorChoice<Value: Sendable>: Sendable {
    private struct Memory: Sendable {
        /// Keeps the member alive as long as it may be asked for.
        let member: SelectorNode<Value>
        let evaluation: UInt64
    }

    private typealias Recipe = SelectorRecipe<Self, Memory, Void, Void>

    private static var recipe: Recipe {
        Recipe(
            remember: { Memory(member: $0.member, evaluation: $0.result.evaluation) },
            isSame: { $0.member === $1.member && $0.evaluation == $1.result.evaluation },
            compute: { _ in }, value: { _ in })
    }

    private let member: SelectorNode<Value>
    private let result: SelectorResult<Value>

    /// A choice; nil of what is only read, which has no number and is distinguished by its value.
    init?(_ member: BoundInput<Value>, _ result: SelectorResult<Value>) {
        guard let node = member.node, result.evaluation != 0 else { return nil }
        self.member = node
        self.result = result
    }

    /// The value, with the number of an evaluation of the node that chose.
    func result(in root: RootCopy, _ node: AnySelectorNode) -> SelectorResult<Value> {
        let choice = Self.recipe.result(in: root, node) { self }
        return SelectorResult(result.value, evaluation: choice.evaluation)
    }

    /// The value of the member that was chosen for the version of a state; nil where that is not known.
    static func recall(in root: RootCopy, _ node: AnySelectorNode) -> SelectorResult<Value>? {
        guard let known = recipe.recall(root, node, { $0.memory.member }) else { return nil }
        let result = node.choosing(in: root) { known.value.result(in: root) }
        return SelectorResult(result.value, evaluation: known.evaluation)
    }
}
