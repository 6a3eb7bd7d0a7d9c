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
