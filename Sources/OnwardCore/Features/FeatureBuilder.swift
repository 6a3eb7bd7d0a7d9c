// SPDX-License-Identifier: MIT

/// Collects the parts of a feature; `if`, `switch` and `for` decide which ones there are.
@resultBuilder
public enum FeatureBuilder<State: Sendable> {
    /// A part of the state's own type.
    public static func buildExpression<P: Part>(_ part: P) -> [any Part<State>]
    where P.State == State {
        [part]
    }

    /// All parts in their order.
    public static func buildBlock(_ parts: [any Part<State>]...) -> [any Part<State>] {
        parts.flatMap(\.self)
    }

    /// The parts of an `if` without `else`.
    public static func buildOptional(_ parts: [any Part<State>]?) -> [any Part<State>] {
        parts ?? []
    }

    /// The parts of the first branch.
    public static func buildEither(first parts: [any Part<State>]) -> [any Part<State>] { parts }

    /// The parts of the second branch.
    public static func buildEither(second parts: [any Part<State>]) -> [any Part<State>] { parts }

    /// The parts of a loop.
    public static func buildArray(_ parts: [[any Part<State>]]) -> [any Part<State>] {
        parts.flatMap(\.self)
    }
}
