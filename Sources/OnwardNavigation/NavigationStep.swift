// SPDX-License-Identifier: MIT

/// One step that a driver takes on the way from one stack to another.
///
/// `Element` is what a stack is made of: a ``RouteLevel``, or any value of your own. Positions
/// count from 0, the root.
public enum NavigationStep<Element> {
    /// The top element is removed.
    case pop(Element, at: Int)
    /// The top element is replaced by another one.
    case change(Element, to: Element, at: Int)
    /// An element is added on top.
    case push(Element, at: Int)
}

extension NavigationStep where Element: Equatable {
    /// The steps from one stack to another.
    ///
    /// What both have in common from the root upwards stays. Of the rest, the old elements are
    /// popped from the top, the last of them is changed into the first new one if there are both,
    /// and the other new ones are pushed.
    ///
    /// - Returns: The steps in their order; none when the stacks are equal.
    /// - Complexity: O(elements of both).
    public static func steps(from old: [Element], to new: [Element]) -> [NavigationStep] {
        let common = zip(old, new).prefix { $0 == $1 }.count
        let isChange = old.count > common && new.count > common
        let kept = isChange ? common + 1 : common
        return old.indices.dropFirst(kept).reversed().map { .pop(old[$0], at: $0) }
            + (isChange ? [.change(old[common], to: new[common], at: common)] : [])
            + new.indices.dropFirst(kept).map { .push(new[$0], at: $0) }
    }
}

extension NavigationStep: Sendable where Element: Sendable {}
extension NavigationStep: Equatable where Element: Equatable {}
extension NavigationStep: Hashable where Element: Hashable {}
