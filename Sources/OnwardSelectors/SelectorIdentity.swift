// SPDX-License-Identifier: MIT

internal import OnwardCore

/// The identity of a selector: an object made with it, and for a member of a family the
/// parameter.
@usableFromInline
struct SelectorIdentity: Hashable, Sendable {
    /// Only its identity matters.
    ///
    /// Keys keep it alive, so no later one can be taken for it.
    private final class Mark: Sendable {}

    private let mark: Mark
    let parameter: (any Hashable & Sendable)?

    @usableFromInline
    init() {
        mark = Mark()
        parameter = nil
    }

    /// The member of a family.
    init(_ family: SelectorIdentity, parameter: any Hashable & Sendable) {
        mark = family.mark
        self.parameter = parameter
    }

    @usableFromInline
    static func == (left: Self, right: Self) -> Bool {
        left.mark === right.mark && left.anyParameter == right.anyParameter
    }

    @usableFromInline
    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(mark))
        hasher.combine(anyParameter)
    }

    private var anyParameter: AnyHashable? { parameter.map { AnyHashable($0) } }
}

/// Lives as long as somebody has the selector, and so may ask for it again.
final class SelectorLife: Sendable {}

/// The name under which the subscribers of a selector share what they read: no code of an app is
/// called to hash it or to compare it.
///
/// Both properties are constant, and only their identities are used.
struct SelectorName: Hashable, @unchecked Sendable {
    private let node: AnySelectorNode?
    /// Of a property, which has no node.
    private let property: SelectorKey?

    /// The name of a node, which it keeps, so that no later one can be taken for it.
    init(_ node: AnySelectorNode) {
        self.node = node
        property = nil
    }

    /// The name of a selector that is a property; one of its own for what a family makes a
    /// property.
    init<State>(property selector: SelectorIdentity, in getter: Getter<State>) {
        node = nil
        property = SelectorKey(
            selector.parameter == nil ? selector : SelectorIdentity(), in: getter)
    }

    static func == (left: Self, right: Self) -> Bool {
        left.node === right.node && left.property == right.property
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(node.map { ObjectIdentifier($0) })
        hasher.combine(property)
    }
}

/// A selector in one place of a store.
struct SelectorKey: Hashable, Sendable {
    let selector: SelectorIdentity
    /// Where the state lies that the selector is a function of.
    private let place: GroupKey.Source?
    /// Distinguishes a place that nothing names from all others.
    private let unnamed: SelectorIdentity?

    init<State>(_ selector: SelectorIdentity, in getter: Getter<State>) {
        self.selector = selector
        place = getter.stableSource
        unnamed = place == nil ? SelectorIdentity() : nil
    }
}
