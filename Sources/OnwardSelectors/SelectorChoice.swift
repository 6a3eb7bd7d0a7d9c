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
        let member: AnySelectorNode
        let evaluation: UInt64
    }

    private let member: BoundInput<Value>
    private let result: SelectorResult<Value>

    init(_ member: BoundInput<Value>, _ result: SelectorResult<Value>) {
        self.member = member
        self.result = result
    }

    /// The value, with the number of an evaluation of the node that chose.
    func result(in root: RootCopy, _ node: AnySelectorNode) -> SelectorResult<Value> {
        // What is only read has no number, and is distinguished by its value.
        guard let made = member.node, result.evaluation != 0 else { return result }
        let recipe = SelectorRecipe<Self, Memory, Void, Value>(
            remember: { Memory(member: made, evaluation: $0.result.evaluation) },
            isSame: { $0.member === made && $0.evaluation == $1.result.evaluation },
            compute: { _ in }, value: { _, choice in choice.result.value })
        return recipe.result(of: self, in: root, node)
    }
}
